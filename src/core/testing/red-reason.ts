import { getExtension } from '../base/tree-path.ts';
import type { TestResult } from '../model/testing.ts';

export type RedKind =
  | 'assertion'
  | 'missing-own'
  | 'error'
  | 'dependency'
  | 'syntax'
  | 'time-out'
  | 'collection';

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

/** The words of vitest, jest, node:test, mocha, pytest, go and cargo; the first that fits decides. */
const TABLE: readonly Row[] = [
  {
    kind: 'dependency',
    pattern:
      /Cannot find (?:module|package) '([^']+)'|Failed to resolve import "([^"]+)"|Failed to load url (\S+)|Cannot find module "([^"]+)"|No module named '?([\w.]+)'?|no required module provides package (\S+?);?\s|package (\S+) is not in (?:GOROOT|std)|can't find crate for `(\w+)`/,
  },
  {
    kind: 'missing-own',
    pattern:
      /does not provide an export named|No matching export|cannot import name|is not a (?:function|constructor)|is not defined|has no attribute|\bundefined: \w|unresolved import|cannot find (?:function|value|type|macro|struct|trait|method)|no (?:method|function|variant)[\w ]* named|ENOENT|FileNotFoundError/,
  },
  {
    kind: 'time-out',
    pattern:
      /^\s*(?:Error: )?(?:Test|Hook) timed out in \d+|Exceeded timeout of \d+ ?ms|Timeout of \d+ms exceeded|^\s*(?:Error: |\[Error[^\]]*\] )?test timed out after \d+|panic: test timed out after|^\s*Failed: Timeout [>(]/m,
  },
  {
    kind: 'collection',
    pattern:
      /No test suite found in file|must contain at least one test|no tests ran|collected 0 items|no tests were collected|fixture '[^']+' not found|although no test failed/,
  },
  {
    kind: 'syntax',
    onlyErrors: true,
    pattern:
      /^(?!.*\bJSON\b).*(?:SyntaxError|IndentationError|TabError|Transform failed|PARSE_ERROR|Jest encountered an unexpected token|expected declaration, found|this file contains an unclosed delimiter)/m,
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
