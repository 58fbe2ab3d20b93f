import type { TestOutcome, TestResult } from '../model/testing.ts';

/** What a report says. A `problem` means that it says nothing that could be trusted. */
export interface ParsedReport {
  readonly results: readonly TestResult[];
  readonly problem?: string;
}

/**
 * Reads one format; never throws. `trees` are the spellings of the directory the tests ran in (as
 * given, and with symlinks resolved): ids must be the same wherever the tree stands.
 */
export type ReportParser = (text: string, trees: readonly string[]) => ParsedReport;

export const MAX_MESSAGE_CHARS = 2_000;

/** Gathers results under stable, unique ids: `file > suite > name`, the second of a name ` (2)`. */
export class Results {
  readonly #trees: readonly string[];
  readonly #results: TestResult[] = [];
  readonly #seen = new Map<string, number>();

  constructor(trees: readonly string[]) {
    this.#trees = trees
      .map(tree => tree.replaceAll('\\', '/').replace(/\/+$/, ''))
      .filter(tree => tree !== '')
      .sort((a, b) => b.length - a.length);
  }

  get all(): readonly TestResult[] {
    return this.#results;
  }

  /** A path as seen from the tree; one that lies elsewhere stays as it is. */
  getFile(path: string): string {
    const plain = path.replace(/^file:\/\//, '').replaceAll('\\', '/');
    const tree = this.#trees.find(root => plain.startsWith(`${root}/`));
    return (tree ? plain.slice(tree.length + 1) : plain).replace(/^(\.\/)+/, '');
  }

  add(
    path: readonly (string | null | undefined)[],
    outcome: TestOutcome,
    more: { readonly message?: string | undefined; readonly durationMs?: number | undefined } = {},
  ): void {
    const parts = path.map(part => this.#getName(part ?? '')).filter(part => part !== '');
    const message = getMessage(more.message);
    const durationMs = more.durationMs;
    this.#results.push({
      id: this.#getUnique(parts.join(' > ') || '(unnamed)'),
      outcome,
      ...(message ? { message } : {}),
      ...(durationMs !== undefined && Number.isFinite(durationMs)
        ? { durationMs: Math.round(durationMs * 100) / 100 }
        : {}),
    });
  }

  /** One line, and free of the place where the tree happens to stand. */
  #getName(part: string): string {
    const name = this.#trees.reduce((text, tree) => text.replaceAll(`${tree}/`, ''), part);
    return name.replace(/\s+/g, ' ').trim();
  }

  #getUnique(id: string): string {
    let count = (this.#seen.get(id) ?? 0) + 1;
    let unique = count === 1 ? id : `${id} (${count})`;
    while (unique !== id && this.#seen.has(unique)) unique = `${id} (${++count})`;
    this.#seen.set(id, count);
    if (unique !== id) this.#seen.set(unique, 1);
    return unique;
  }
}

/** Text without terminal colours. */
export function getPlainText(text: string): string {
  return text.replace(ANSI, '');
}

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

function getMessage(message: string | undefined): string {
  return getPlainText(message ?? '')
    .trim()
    .slice(0, MAX_MESSAGE_CHARS);
}
