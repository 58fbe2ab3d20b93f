import { type Command, InvalidArgumentError, Option } from 'commander';

/** A flag or an argument that gives a `T`; `Always`: also where nobody said anything. */
export interface Given<T, Always extends boolean = boolean> {
  readonly kind: 'one' | 'many' | 'yes' | 'no';
  readonly about: string;
  readonly isAlways: Always;
  /** As help shows it after a flag: `<n>`. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** What is given where nothing is said. */
  readonly fallback?: T;
  /** What the text means; `before` is what earlier ones of the same flag gave. */
  readonly read?: (text: string, before: unknown) => unknown;
}

export type GivenByName = Readonly<Record<string, Given<unknown>>>;

type AlwaysNames<G extends GivenByName> = {
  [K in keyof G]: G[K]['isAlways'] extends true ? K : never;
}[keyof G];

/** What a use case is given: it follows from the flags and arguments themselves. */
export type InputOf<G extends GivenByName> = {
  readonly [K in AlwaysNames<G>]: TypeOf<G[K]>;
} & {
  readonly [K in Exclude<keyof G, AlwaysNames<G>>]?: TypeOf<G[K]>;
};

type TypeOf<G> = G extends Given<infer T> ? T : never;

export const yes = (about: string): Given<boolean, false> => ({ kind: 'yes', about, isAlways: false });

/** `run: no('…')` is the flag `--no-run`, and `run` is false with it. */
export const no = (about: string): Given<boolean, true> => ({ kind: 'no', about, isAlways: true });

export const text = (placeholder: string, about: string): Given<string, false> => ({
  kind: 'one',
  placeholder,
  about,
  isAlways: false,
});

/** Who says so: asked with every word of a person. */
export const by = text('<name>', 'your name, for the record; default: git config user.name');

export const reason = text('<text>', 'the reason, for the record');

export const choice = <const T extends string>(
  placeholder: string,
  about: string,
  choices: readonly T[],
): Given<T, false> => ({ kind: 'one', placeholder, about, choices, isAlways: false });

/** A whole number above 0. */
export const count = (placeholder: string, about: string): Given<number, false> => ({
  kind: 'one',
  placeholder,
  about,
  isAlways: false,
  read: typed => {
    const value = Number(typed);
    if (Number.isSafeInteger(value) && value > 0) return value;
    throw new InvalidArgumentError('It must be a whole number above 0.');
  },
});

/** The same, or left to us. */
export const countOrAuto = (placeholder: string, about: string): Given<number | 'auto', false> => {
  const { read, ...given } = count(placeholder, about);
  return { ...given, read: (typed, before) => (typed === 'auto' ? typed : read?.(typed, before)) };
};

/** Several in one, as `1,2`. */
export const ids = (placeholder: string, about: string): Given<readonly string[], false> => ({
  kind: 'one',
  placeholder,
  about,
  isAlways: false,
  read: typed => typed.split(',').flatMap(id => id.trim() || []),
});

/** A flag that may be given several times. */
export const repeated = (placeholder: string, about: string): Given<readonly string[], true> => ({
  kind: 'one',
  placeholder,
  about,
  isAlways: true,
  fallback: [],
  read: (typed, before) => [...(before as readonly string[]), typed],
});

/** The same with something to fall back on. */
export const or = <T>(given: Given<T>, fallback: T): Given<T, true> => ({
  ...given,
  isAlways: true,
  fallback,
});

/** A flag that nothing goes without. */
export const must = <T>(given: Given<T>): Given<T, true> => ({ ...given, isAlways: true });

export const argument = (about: string): Given<string, true> => ({ kind: 'one', about, isAlways: true });

export const optional = (about: string): Given<string, false> => ({ kind: 'one', about, isAlways: false });

export const several = (about: string): Given<readonly string[], true> => ({
  kind: 'many',
  about,
  isAlways: true,
});

/** Tells the parser about an argument. */
export function declareArgument(
  command: Command,
  name: string,
  { kind, about, isAlways }: Given<unknown>,
): void {
  const many = kind === 'many';
  const label = `${name}${many ? '...' : ''}`;
  // A task may be named by `--feature` instead.
  command.argument(isAlways && !many && name !== 'task' ? `<${label}>` : `[${label}]`, about);
}

/** Tells the parser about a flag: `maxTasks` is `--max-tasks`. */
export function declareFlag(command: Command, name: string, given: Given<unknown>): void {
  const { kind, about, placeholder, choices, fallback, read, isAlways } = given;
  const long = `--${kind === 'no' ? 'no-' : ''}${name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
  const option = new Option(placeholder === undefined ? long : `${long} ${placeholder}`, about);
  if (choices) option.choices(choices);
  if (read) option.argParser(read);
  if (fallback !== undefined) option.default(fallback);
  if (kind === 'one' && isAlways && fallback === undefined) option.makeOptionMandatory();
  command.addOption(option);
}
