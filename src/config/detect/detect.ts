import { parse } from 'yaml';
import { getShellQuoted } from '../../core/shell/command-line.ts';
import type { DetectedProject, Detection, RepoReader, RepoView, Witness } from './detection.ts';
import { detectNode } from './node.ts';
import { detectOther } from './others.ts';
import { detectPython } from './python.ts';
import { getRunner } from './runner.ts';

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

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;
/** As many as a person would look through. */
const MAX_FILES = 8;

/** Commands of `.github/workflows` that install or test; those that need the pipeline's own variables tell nothing here. */
async function readWorkflows({ files, readText }: RepoView): Promise<Witness> {
  const paths = [...files].filter(path => WORKFLOW.test(path)).sort();
  const texts = await Promise.all(paths.slice(0, MAX_FILES).map(readText));
  const lines = [...new Set(texts.flatMap(getLines))];
  return {
    installs: lines.filter(line => INSTALLS.test(line) && !/\s(?:-g|--global|-U|--upgrade)\b/.test(line)),
    tests: lines.filter(line => TESTS.test(line) && !INSTALLS.test(line) && !NO_TEST.test(line)),
  };
}

const INSTALLS =
  /^(?:cd \S+ && )?(?:npm (?:ci|i|install)|pnpm (?:i|install)|yarn(?: install| --\S+)*$|yarn install|bun install|(?:python3? -m )?pip3? install|poetry install|uv (?:sync|pip install)|pipenv (?:sync|install)|bundle install|composer (?:install|update)|go mod download|mix deps\.get|dotnet restore|cargo fetch)\b/;
const TESTS = /\b(?:tests?|check|specs?|pytest|tox|nox|ctest|unittest|rspec|phpunit)\b/;
const NO_TEST =
  /^(?:cd \S+ && )?(?:echo|printf|git|gh|curl|wget|docker|sudo|apt|apt-get|brew|if|for|while|export|set|source|mkdir|cat|rm|cp|mv|ln|ls|touch|chmod|chown|find|sed|awk|tar|unzip|test)\b|\b(?:lint|codecov|upload|publish|coveralls|build|format|fmt|clippy|vet)\b/;

/** Every command of every step, as the root of the repository would run it. */
function getLines(text: string): readonly string[] {
  const jobs = Object.values(asObject(asObject(parseOrNothing(text)).jobs));
  const steps = jobs.flatMap(job => asArray(asObject(job).steps)).map(asObject);
  return steps.flatMap(step => {
    const folder = step['working-directory'];
    const go = typeof folder === 'string' ? `cd ${getShellQuoted(folder)} && ` : '';
    const lines = typeof step.run === 'string' ? step.run.replace(/\\\n\s*/g, ' ').split('\n') : [];
    return lines
      .map(line => line.trim())
      .filter(line => line !== '' && !/^#|\$\{\{/.test(line))
      .map(line => go + line);
  });
}

function parseOrNothing(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** A Go or Rust project: one tool does everything there. */
async function detectCompiled(view: RepoView): Promise<Detection | null> {
  if (view.files.has('go.mod')) return detectGo(view);
  if (view.files.has('Cargo.toml')) return detectRust(view);
  return null;
}

async function detectGo(view: RepoView): Promise<Detection> {
  const module = /^module\s+(\S+)/m.exec(await view.readText('go.mod'))?.[1];
  const hasLinter = [...view.files].some(file => /^\.golangci\.(?:ya?ml|toml|json)$/.test(file));
  return {
    language: 'go',
    name:
      module
        ?.split('/')
        .filter(part => !/^v\d+$/.test(part))
        .at(-1) ?? null,
    packageManager: 'go',
    install: view.files.has('go.sum') ? 'go mod download' : null,
    runner: 'go',
    full: 'go test ./...',
    report: null,
    lint: hasLinter ? 'golangci-lint run' : null,
    notes: [],
  };
}

async function detectRust(view: RepoView): Promise<Detection> {
  const manifest = await view.readText('Cargo.toml');
  const usesClippy =
    view.files.has('clippy.toml') ||
    view.files.has('.clippy.toml') ||
    /^\[(?:workspace\.)?lints\.clippy\]/m.test(manifest);
  return {
    language: 'rust',
    name: /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1] ?? null,
    packageManager: 'cargo',
    install: view.files.has('Cargo.lock') ? 'cargo fetch --locked' : null,
    lint: usesClippy ? 'cargo clippy --all-targets' : null,
    ...(await getRustTesting(view)),
  };
}

/** nextest reports test by test only through a profile with a JUnit file. */
async function getRustTesting(
  view: RepoView,
): Promise<Pick<Detection, 'runner' | 'full' | 'report' | 'notes'>> {
  const path = '.config/nextest.toml';
  if (!view.files.has(path)) return { runner: 'cargo', full: 'cargo test', report: null, notes: [] };
  const junit = /^\[profile\.([\w-]+)\.junit\][^[]*?^path\s*=\s*"([^"]+)"/ms.exec(await view.readText(path));
  if (!junit) {
    const notes = ['Give a profile of .config/nextest.toml a JUnit file for exact test names.'];
    return { runner: 'cargo', full: 'cargo nextest run', report: null, notes };
  }
  const [, profile = 'default', file = 'junit.xml'] = junit;
  const flag = profile === 'default' ? '' : ` --profile ${profile}`;
  return {
    runner: 'junit',
    full: `cargo nextest run${flag}`,
    report: `target/nextest/${profile}/${file}`,
    notes: [],
  };
}
