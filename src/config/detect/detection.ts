import type { RunnerKind } from '../../core/model/testing.ts';
/** What a project's own pipeline says of it: a second witness beside its manifests. */
export interface Witness {
  readonly installs: readonly string[];
  readonly tests: readonly string[];
}

/** How detection sees a repository: the CLI reads a disk, tests a table. */
export interface RepoReader {
  /** Paths relative to the root, slashes forward. */
  listFiles(): Promise<readonly string[]>;
  /** Null when the file is not there. */
  readFile(path: string): Promise<string | null>;
}

/** One way to run the tests, and how their results are read. */
export interface TestWay {
  readonly runner: RunnerKind;
  readonly full: string;
  readonly report?: string | null;
  /** What runs one file, where that does not follow from `full`. */
  readonly feature?: string | null;
}

/** What one language's detective found out. */
export interface Detection {
  /** `unknown` where nothing tells. */
  readonly language: string;
  readonly name: string | null;
  readonly packageManager: string | null;
  readonly install: string | null;
  readonly runner: RunnerKind;
  /** Null when no test command was found. */
  readonly full: string | null;
  readonly report: string | null;
  readonly feature?: string | null;
  /** Tried in turn where the first gives no result. */
  readonly otherInstalls?: readonly string[];
  readonly otherWays?: readonly TestWay[];
  readonly lint: string | null;
  readonly typeCheck?: string | null;
  readonly build?: string | null;
  /** `off` where the tests were seen to pass without one. */
  readonly testNetwork?: 'off';
  /** Worth telling the person who will read the proposed config. */
  readonly notes: readonly string[];
}

export interface DetectedProject extends Detection {
  readonly name: string;
  /** Where editors find the schema, when the package is a dependency of the project. */
  readonly schemaPath: string | null;
}

/** What a detective works from. */
export interface RepoView {
  readonly files: ReadonlySet<string>;
  /** The text of a file, empty when it is not there. */
  readText(path: string): Promise<string>;
}
