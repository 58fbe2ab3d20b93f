/** The runners that samples are made for. */
export const RUNNERS = ['node', 'vitest', 'jest', 'mocha', 'pytest'] as const;
export type Runner = (typeof RUNNERS)[number];

/** The runners whose samples are written in JavaScript. */
export const JS: readonly Runner[] = ['node', 'vitest', 'jest', 'mocha'];
export const MAIN_JS: readonly Runner[] = ['node', 'vitest', 'jest'];
export const MAIN: readonly Runner[] = [...MAIN_JS, 'pytest'];

/** One test: its title, and pairs of an expression and what it should give. */
export type TestSpec = readonly [title: string, pairs: readonly (readonly [got: string, want: string])[]];

/** How a test is written down; `plain` is how an honest person would. */
export type TestStyle = 'plain' | 'skip' | 'only' | 'todo' | 'inverted' | 'empty' | 'swallowed';

/** A sample project for one runner: a till that works, and an approved test for what it should learn. */
export interface Kit {
  readonly runner: Runner;
  /** Everything but the config and the backlog. */
  readonly files: Readonly<Record<string, string>>;
  /** `testing`, `environment` and so on, as the config wants them. */
  readonly config: Readonly<Record<string, unknown>>;
  /** A product file by its bare name, such as `discount`. */
  src(name: string): string;
  /** A test file by its bare name. */
  test(name: string): string;
  /** JavaScript (ES modules) in the dialect of the sample; Python stays as it is. */
  code(text: string): string;
  /** A test file for functions of product files: `{ discount: ['getDiscounted'] }`. */
  suite(
    imports: Readonly<Record<string, readonly string[]>>,
    tests: readonly TestSpec[],
    style?: TestStyle,
  ): string;
  /** The command that runs one test file, and the one that runs all. */
  readonly one: (file: string) => string;
  readonly full: string;
  readonly product: Product;
}

/** The texts that most cases play with. */
export interface Product {
  /** The feature done as it should be. */
  readonly honest: string;
  /** Only what the approved test asks for, by heart. */
  readonly byHeart: string;
  /** As it was, with some words added. */
  readonly idle: string;
  /** The cart with an error in it that its test notices. */
  readonly brokenCart: string;
  readonly approved: readonly TestSpec[];
  readonly heldOut: readonly TestSpec[];
}
