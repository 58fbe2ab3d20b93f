import { getNearest } from '../../core/base/nearest.ts';
import type { BacklogOptions } from './options.ts';
import type { Problem } from './problem.ts';

/** Where everything noticed while reading goes. */
export interface Sink {
  readonly options: BacklogOptions;
  readonly problems: Problem[];
  readonly warnings: string[];
}

/** A format's own names of fields; where it has several for one, the first is what gets written. */
export type Names = Readonly<Record<string, string | readonly [string, ...string[]] | undefined>>;

/** Every way in which a format spells a field, the one to write first. */
export function getSpellings(names: Names, key: string): readonly [string, ...string[]] {
  const own = names[key] ?? key;
  return typeof own === 'string' ? [own] : own;
}

/** The spelling that entries of a file use already; the one to write first where none has the field. */
export function getUsedSpelling(names: Names, key: string, entries: readonly unknown[]): string {
  const spellings = getSpellings(names, key);
  const isUsed = (name: string) => entries.some(entry => Object.hasOwn(Object(entry), name));
  return spellings.find(isUsed) ?? spellings[0];
}

/**
 * Reads one object's fields by type; what is there but wrong is reported, and read as not there. Each field is named by
 * its full path, such as `features[3].test_file`, in the file's own words.
 */
export class FieldReader {
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #at: string;
  readonly #sink: Sink;
  readonly #names: Names;

  constructor(raw: Readonly<Record<string, unknown>>, at: string, sink: Sink, names: Names = {}) {
    this.#raw = raw;
    this.#at = at;
    this.#sink = sink;
    this.#names = names;
  }

  get options(): BacklogOptions {
    return this.#sink.options;
  }

  /** Undefined for a field that is absent or null. */
  get(key: string): unknown {
    const name = this.#getName(key);
    return Object.hasOwn(this.#raw, name) ? (this.#raw[name] ?? undefined) : undefined;
  }

  getText(key: string): string | null {
    const value = this.get(key);
    if (value === undefined || typeof value === 'string') return value ?? null;
    return this.refuse(key, 'must be text', 'Write it in double quotes.');
  }

  getTexts(key: string): readonly string[] {
    const value = this.get(key) ?? [];
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value;
    const fix = `Write "${this.#getName(key)}": ["…", "…"].`;
    return this.refuse(key, 'must be a list of texts', fix) ?? [];
  }

  getCount(key: string, least: number): number | null {
    const value = this.get(key);
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    const fix = `Write "${this.#getName(key)}": ${least} or more.`;
    return this.refuse(key, `must be a whole number from ${least}`, fix);
  }

  getChoice<T extends string>(key: string, choices: readonly T[]): T | null {
    const value = this.get(key);
    if (value === undefined) return null;
    const choice = choices.find(known => known === value);
    if (choice !== undefined) return choice;
    const near = typeof value === 'string' && value.length <= 60 ? getNearest(value, choices) : null;
    const fix = near ? `Did you mean "${near}"?` : `Write one of ${choices.map(c => `"${c}"`).join(', ')}.`;
    return this.refuse(key, `cannot be ${JSON.stringify(value)?.slice(0, 60)}`, fix);
  }

  /** Always null, so that a reader can end with it. */
  refuse(key: string, message: string, fix: string): null {
    this.#sink.problems.push({ field: `${this.#at}.${this.#getName(key)}`, message, fix });
    return null;
  }

  #getName(key: string): string {
    const own = this.#names[key] ?? key;
    if (typeof own === 'string') return own;
    return own.find(name => Object.hasOwn(this.#raw, name)) ?? own[0];
  }
}

/** A field nobody reads is more often a typing error than a note: say so, and go on. */
export function getUnknownFieldWarning(
  fileName: string,
  at: string,
  key: string,
  known: readonly string[],
): string {
  const near = key.length <= 60 ? getNearest(key, known) : null;
  const advice = near ? `did you mean ${near}?` : 'it has no effect';
  return `${fileName}: ${at ? `${at}.` : ''}${key.slice(0, 60)} is not a known field; ${advice}`;
}
