import type { RunnerKind } from '../core/testing.ts';
import { detectCompiled } from './detect-compiled.ts';
import { detectNode } from './detect-node.ts';
import { detectOther } from './detect-others.ts';
import { detectPython } from './detect-python.ts';
import { readWorkflows, type Witness } from './read-workflows.ts';
import { getRunner } from './runner.ts';

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

const PACKAGE = '@harness-proof/harness';

/** Looks at an existing repository and proposes how to install, test and lint it. */
export async function detectProject(root: string, repo: RepoReader): Promise<DetectedProject> {
  const files = new Set(await repo.listFiles());
  const view: RepoView = { files, readText: async path => (await repo.readFile(path)) ?? '' };
  const witness = await readWorkflows(view);
  const found = [
    await detectNode(view, witness),
    await detectCompiled(view),
    await detectOther(view),
    await detectPython(view, witness),
    await detectMake(view),
  ].filter(detection => detection !== null);
  const best = withWitness(found.find(detection => detection.full !== null) ?? found[0] ?? NOTHING, witness);
  const folder = root.split(/[/\\]/).filter(Boolean).at(-1) ?? 'project';
  const isInstalled = (await view.readText('package.json')).includes(`"${PACKAGE}"`);
  return {
    ...best,
    name: best.name ?? folder,
    schemaPath: isInstalled ? `./node_modules/${PACKAGE}/schema/harness.schema.json` : null,
  };
}

/** The last resort: a Makefile or a script that says by its name that it tests. */
async function detectMake({ files, readText }: RepoView): Promise<Detection | null> {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find(name => files.has(name));
  const text = makefile === undefined ? '' : await readText(makefile);
  const target = ['test', 'tests', 'check'].find(name => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text));
  const script = SCRIPTS.find(name => files.has(name));
  const full =
    target !== undefined ? `make ${target}` : script === undefined ? null : getScriptCommand(script);
  return full === null ? null : { ...NOTHING, full, notes: [] };
}

const SCRIPTS = [
  ...['script/test', 'scripts/test', 'bin/test', 'test.sh', 'run-tests.sh', 'run_tests.sh', 'runtests.sh'],
  ...['scripts/test.sh', 'test/run.sh', 'tests/run.sh', 'test/all.sh'],
];

const getScriptCommand = (path: string): string => (path.endsWith('.sh') ? `bash ${path}` : path);

const NOTHING: Detection = {
  ...{ language: 'unknown', name: null, packageManager: null, install: null, report: null, lint: null },
  ...{ runner: 'command', full: null, notes: ['No test command was recognised: set testing.full.'] },
};

/** What the pipeline runs stands in where nothing was found, and is the last to try where that gives nothing. */
function withWitness(best: Detection, { tests }: Witness): Detection {
  const ways = tests.map(full => ({ full, runner: getRunner(full, null) }));
  const [first, ...others] = ways.filter(({ full }) => full !== best.full);
  if (first === undefined) return best;
  if (best.full === null) return { ...best, ...first, otherWays: others, notes: [] };
  return { ...best, otherWays: [...(best.otherWays ?? []), first, ...others] };
}
