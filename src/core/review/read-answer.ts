import { isObject } from '../base/json.ts';
import { type Finding, SEVERITIES } from '../model/finding.ts';
import { readWords } from './sentinels.ts';

/** The form of a review, for agents that can be held to one. Every field is named: some providers ask for that. */
export const REVIEW_SCHEMA = {
  type: 'object',
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          severity: { type: 'string', enum: SEVERITIES },
          file: { type: 'string' },
          line: { type: 'integer' },
          claim: { type: 'string' },
          quote: { type: 'string' },
          criterion: { type: ['string', 'null'] },
          test: {
            anyOf: [
              {
                type: 'object',
                properties: { path: { type: 'string' }, content: { type: 'string' } },
                required: ['path', 'content'],
                additionalProperties: false,
              },
              { type: 'null' },
            ],
          },
        },
        required: ['severity', 'file', 'line', 'claim', 'quote', 'criterion', 'test'],
        additionalProperties: false,
      },
    },
  },
  required: ['findings'],
  additionalProperties: false,
} as const;

/** More is no review but noise; the gravest come first. */
const MAX_FINDINGS = 50;
const MAX_CHARS = 20_000;

/**
 * What a reviewer found; null for an answer that says nothing. An agent that knows no form may say it in words, with
 * one of the lines that mean that there is nothing.
 */
export function readAnswer(structured: unknown, words: string): readonly Finding[] | null {
  if (!isObject(structured)) return readWords(words);
  const { findings } = structured;
  if (!Array.isArray(findings)) return null;
  const read = findings.map(readFinding);
  const good = read.filter(finding => finding !== null);
  if (good.length < read.length) return null;
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);
  return [...good].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FINDINGS);
}

function readFinding(value: unknown): Finding | null {
  if (!isObject(value)) return null;
  const { severity, file, line, claim, quote, criterion, test } = value;
  const known = SEVERITIES.find(one => one === severity);
  if (!known || typeof claim !== 'string' || claim.trim() === '') return null;
  return {
    severity: known,
    file: getText(file)?.replace(/^\.\//, '') ?? null,
    line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line : null,
    claim: claim.trim().slice(0, 2_000),
    quote: getText(quote)?.slice(0, 2_000) ?? '',
    criterion: getText(criterion),
    test: readTest(test),
  };
}

function readTest(value: unknown): Finding['test'] {
  if (!isObject(value)) return null;
  const [path, content] = [getText(value.path), getText(value.content)];
  return path === null || content === null || content.length > MAX_CHARS ? null : { path, content };
}

function getText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
