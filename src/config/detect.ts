import type { RunnerKind } from '../core/testing.ts';
import { detectCompiled } from './detect-compiled.ts';
import { detectNode } from './detect-node.ts';
import { detectPython } from './detect-python.ts';

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
  readonly language: 'node' | 'python' | 'go' | 'rust' | 'unknown';
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

const PACKAGE = '@harness-proof/harness';

/** Looks at an existing repository and proposes how to install, test and lint it. */
export async function detectProject(root: string, repo: RepoReader): Promise<DetectedProject> {
  const files = new Set(await repo.listFiles());
  const view: RepoView = { files, readText: async path => (await repo.readFile(path)) ?? '' };
  const found = [await detectNode(view), await detectPython(view), await detectCompiled(view)].filter(
    detection => detection !== null,
  );
  const best = found.find(detection => detection.full !== null) ?? found[0] ?? (await detectMake(view));
  const folder = root.split(/[/\\]/).filter(Boolean).at(-1) ?? 'project';
  const isInstalled = (await view.readText('package.json')).includes(`"${PACKAGE}"`);
  return {
    ...best,
    name: best.name ?? folder,
    schemaPath: isInstalled ? `./node_modules/${PACKAGE}/schema/harness.schema.json` : null,
  };
}

/** The last resort: a Makefile that knows how to test. */
async function detectMake(view: RepoView): Promise<Detection> {
  const hasTarget = /^test\s*:/m.test(await view.readText('Makefile'));
  return {
    language: 'unknown',
    name: null,
    packageManager: null,
    install: null,
    runner: 'command',
    full: hasTarget ? 'make test' : null,
    report: null,
    lint: null,
    notes: hasTarget ? [] : ['No test command was recognised: set testing.full.'],
  };
}
