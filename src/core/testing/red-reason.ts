import { getExtension } from '../base/tree-path.ts';
import type { TestResult } from '../model/testing.ts';
import type { FailureKind } from '../runners/runner.ts';
import { RUNNERS } from './runners.ts';

export type RedKind = FailureKind | 'assertion' | 'error';

/** Why a test is red, and whether that says anything about the code it tests. */
export interface RedReason {
  readonly kind: RedKind;
  readonly isHonest: boolean;
  /** The line that says so. */
  readonly line: string;
}

/**
 * Reads a failure as a person would. A test that cannot be loaded, lacks a package or waits until its
 * time is up is red whatever the code does. `added` are the files that the change brings: what is
 * missing without them is missing for an honest reason.
 */
export function getRedReason(result: TestResult, added: readonly string[]): RedReason {
  const message = getWithoutCode(result.message ?? '');
  for (const { kind, pattern, onlyErrors } of TABLE) {
    if (onlyErrors && result.outcome !== 'error') continue;
    const match = pattern.exec(message);
    if (!match) continue;
    const module = kind === 'dependency' ? match.slice(1).find(part => part !== undefined) : undefined;
    const found = module !== undefined && isOwn(module, added) ? 'missing-own' : kind;
    return { kind: found, isHonest: HONEST.has(found), line: getLineOf(message, match.index) };
  }
  const line = getLineOf(message, 0);
  return { kind: result.outcome === 'failed' ? 'assertion' : 'error', isHonest: true, line };
}

/** Node shows the line that threw: of a packed file it is thousands of letters long and has every error's words in it. */
function getWithoutCode(message: string): string {
  const lines = message.split('\n');
  return lines.filter(line => line.length <= MAX_SENTENCE_CHARS).join('\n');
}

const MAX_SENTENCE_CHARS = 600;

const HONEST: ReadonlySet<RedKind> = new Set(['assertion', 'missing-own', 'error']);

interface Row {
  readonly kind: RedKind;
  readonly pattern: RegExp;
  /** Applies only where a file failed as a whole. */
  readonly onlyErrors?: boolean;
}

/** What all runners say of a failure of one kind. */
function getWords(kind: FailureKind): string {
  return Object.values(RUNNERS)
    .flatMap(({ failures }) => failures?.[kind] ?? [])
    .join('|');
}

/** The first that fits decides. A line that complains of JSON tells of data. */
const TABLE: readonly Row[] = [
  { kind: 'dependency', pattern: new RegExp(getWords('dependency')) },
  { kind: 'missing-own', pattern: new RegExp(getWords('missing-own')) },
  { kind: 'time-out', pattern: new RegExp(getWords('time-out'), 'm') },
  { kind: 'collection', pattern: new RegExp(`${getWords('collection')}|although no test failed`) },
  {
    kind: 'syntax',
    onlyErrors: true,
    pattern: new RegExp(`^(?!.*\\bJSON\\b).*(?:${getWords('syntax')})`, 'm'),
  },
  { kind: 'assertion', pattern: /AssertionError|ERR_ASSERTION|\bassert\b|\bexpect(?:ed)?\b|panicked at/i },
];

const OWN = ['.', '/', '~/', '@/', '#', 'file:'];

/** Paths, aliases and names of what the change itself adds; anything else comes from a registry. */
function isOwn(module: string, added: readonly string[]): boolean {
  if (OWN.some(start => module.startsWith(start))) return true;
  const parts = (module.includes('/') ? module.split('/') : module.split('.')).map(getName);
  const names = new Set(added.flatMap(path => path.split('/').map(getName)));
  return parts.length > 0 && names.has(parts.at(-1) as string);
}

function getName(part: string): string {
  const extension = getExtension(part);
  return extension === '' ? part : part.slice(0, -extension.length - 1);
}

function getLineOf(message: string, index: number): string {
  const start = message.lastIndexOf('\n', Math.max(0, index - 1)) + 1;
  const end = message.indexOf('\n', Math.max(start, index));
  return message
    .slice(start, end === -1 ? undefined : end)
    .trim()
    .slice(0, 200);
}
