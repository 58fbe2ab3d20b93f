import { isObject } from '../../core/base/json.ts';
import type { Finding } from '../../core/model/finding.ts';
import { NO_USAGE, type Usage } from '../../core/model/usage.ts';
import { getPrompt } from '../../core/prompt/prompt.ts';
import { hasWords } from '../../core/review/place.ts';
import type { Evidence } from '../../core/review/settle.ts';
import type { Agent } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';
import { askOnce } from './ask.ts';

/**
 * Asks somebody who has not seen the review whether its claims are true. To refute one takes words of the files or of
 * the task that contradict it; an answer that cannot be used, or none, refutes nothing.
 */
export async function readAgain(
  ctx: CheckContext,
  agent: Agent,
  {
    claims,
    brief,
    texts,
  }: { readonly claims: readonly Finding[]; readonly brief: string; readonly texts: readonly string[] },
): Promise<{ readonly answers: readonly Evidence['reader'][]; readonly usage: Usage }> {
  if (claims.length === 0) return { answers: [], usage: NO_USAGE };
  const list = claims.map(getClaim).join('\n\n');
  const prompt = getPrompt(ctx.policy, 'second-reader', `${brief}\n\n## The claims\n\n${list}`);
  const { structured, usage } = await askOnce(ctx, agent, { role: 'second-reader', prompt, schema: SCHEMA });
  const given = isObject(structured) && Array.isArray(structured.answers) ? structured.answers : [];
  const answers = claims.map((_, at) =>
    readOne(
      given.find(one => isObject(one) && one.number === at + 1),
      texts,
    ),
  );
  return { answers, usage };
}

function readOne(answer: unknown, texts: readonly string[]): Evidence['reader'] {
  if (!isObject(answer)) return 'unknown';
  const { verdict, quote } = answer;
  if (verdict === 'stands') return 'stands';
  const isShown = typeof quote === 'string' && texts.some(text => hasWords(text, quote));
  return verdict === 'refuted' && isShown ? 'refuted' : 'unknown';
}

function getClaim({ file, line, claim, quote, test }: Finding, at: number): string {
  const where = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`;
  const quoted = quote === '' ? '' : `\nIt quotes: ${quote}`;
  const shown = test === null ? '' : `\nThis test of the claim is red:\n~~~~\n${test.content}\n~~~~`;
  return `${at + 1}.${where} ${claim}${quoted}${shown}`;
}

const SCHEMA = {
  type: 'object',
  properties: {
    answers: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          number: { type: 'integer' },
          verdict: { type: 'string', enum: ['stands', 'refuted', 'unknown'] },
          quote: { type: 'string' },
        },
        required: ['number', 'verdict', 'quote'],
        additionalProperties: false,
      },
    },
  },
  required: ['answers'],
  additionalProperties: false,
} as const;
