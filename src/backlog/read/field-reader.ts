import { getNearest } from '../../core/base/nearest.ts';
import type { BacklogOptions } from './options.ts';
import type { Problem } from './problem.ts';

/** Where everything noticed while reading goes. */
export interface Sink {
  readonly options: BacklogOptions;
  readonly problems: Problem[];
  readonly warnings: string[];
}

/** Reads one object's fields by type; what is there but wrong is reported, and read as not there. */
export interface FieldReader {
  readonly options: BacklogOptions;
  /** Undefined for a field that is absent or null. */
  get(key: string): unknown;
  getText(key: string): string | null;
  getTexts(key: string): readonly string[];
  getCount(key: string, least: number): number | null;
  getChoice<T extends string>(key: string, choices: readonly T[]): T | null;
  /** Always null, so that a reader can end with it. */
  refuse(key: string, message: string, fix: string): null;
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

/** A reader that names each field by its full path, such as `features[3].test_file`, in the file's own words. */
export function getFieldReader(
  raw: Readonly<Record<string, unknown>>,
  at: string,
  sink: Sink,
  names: Names = {},
): FieldReader {
  const getName = (key: string) => {
    const spellings = getSpellings(names, key);
    return spellings.find(name => Object.hasOwn(raw, name)) ?? spellings[0];
  };
  const get = (key: string) => {
    const name = getName(key);
    return Object.hasOwn(raw, name) ? (raw[name] ?? undefined) : undefined;
  };
  const refuse = (key: string, message: string, fix: string): null => {
    sink.problems.push({ field: `${at}.${getName(key)}`, message, fix });
    return null;
  };
  return {
    options: sink.options,
    get,
    refuse,
    getText(key) {
      const value = get(key);
      if (value === undefined || typeof value === 'string') return value ?? null;
      return refuse(key, 'must be text', 'Write it in double quotes.');
    },
    getTexts(key) {
      const value = get(key) ?? [];
      if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value;
      return refuse(key, 'must be a list of texts', `Write "${getName(key)}": ["…", "…"].`) ?? [];
    },
    getCount(key, least) {
      const value = get(key);
      if (value === undefined) return null;
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
      return refuse(
        key,
        `must be a whole number from ${least}`,
        `Write "${getName(key)}": ${least} or more.`,
      );
    },
    getChoice(key, choices) {
      const value = get(key);
      if (value === undefined) return null;
      const choice = choices.find(known => known === value);
      if (choice !== undefined) return choice;
      const near = typeof value === 'string' && value.length <= 60 ? getNearest(value, choices) : null;
      const fix = near ? `Did you mean "${near}"?` : `Write one of ${choices.map(c => `"${c}"`).join(', ')}.`;
      return refuse(key, `cannot be ${JSON.stringify(value)?.slice(0, 60)}`, fix);
    },
  };
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
