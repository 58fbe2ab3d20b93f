import type { ModuleFacts } from '../core/code/modules.ts';
import type { Names } from '../core/testing/runner-names.ts';

/** A test file changed so that it has to fail. */
export interface AlteredTest {
  /** Every expectation of equality altered, and tests added that must fail. */
  readonly text: string;
  /** Only the tests added. */
  readonly textWithNonces: string;
  /** The names of the tests that were added. */
  readonly nonceNames: readonly string[];
  /** How many expectations were altered. */
  readonly alterations: number;
  /** The tests that hold an altered expectation, as far as their names can be told. */
  readonly tests: readonly AlteredCase[];
}

export interface AlteredCase {
  /** The names of its suites and its own. */
  readonly names: readonly string[];
  readonly line: number;
  /** Whether nothing in the test can keep the altered expectation from being reached. */
  readonly isSure: boolean;
}

/** One way in which a change could be broken. */
export interface Mutant {
  readonly text: string;
  readonly line: number;
  /** What was done, in words. */
  readonly what: string;
  /**
   * `body` empties every function that others can call at once, `yes` lets all of them say yes; `single` breaks one place in such code;
   * `effect` breaks one place that runs by itself when the file is loaded.
   */
  readonly kind: 'body' | 'yes' | 'single' | 'effect';
}

/** How a file reads: what is wrong with its syntax, and what it says about other files where it is a module. */
export interface Reading {
  readonly problem: string | null;
  readonly facts: ModuleFacts | null;
  /** JSON with comments or commas that strict readers refuse; why they do. */
  readonly looseness?: string | null;
}

/** Text work by language; nothing of what it reads is ever run. */
export interface Sources {
  /** Null when the language of the file is not known. */
  alterTest(request: {
    readonly path: string;
    readonly text: string;
    /** A word that is nowhere in the project. */
    readonly nonce: string;
  }): Promise<AlteredTest | null>;
  /** Null when the language of the file is not known, or nothing here can read it. */
  read?(request: { readonly path: string; readonly text: string }): Promise<Reading | null>;
  /** Ways to break the given lines, the same ones for the same seed; null when the language is not known. */
  mutate(request: {
    readonly path: string;
    readonly text: string;
    readonly lines: readonly number[];
    readonly limit: number;
    readonly seed: string;
  }): Promise<readonly Mutant[] | null>;
  /** Whether two texts of a file are the same code in another layout; false where nobody here can tell. */
  isSameCode?(request: {
    readonly path: string;
    readonly before: string;
    readonly after: string;
  }): Promise<boolean>;
  /** What a file loads and names; null when its language is not known or it cannot be read. */
  readNames(request: { readonly path: string; readonly text: string }): Promise<Names | null>;
}
