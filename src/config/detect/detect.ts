import { parse } from 'yaml';
import { getFields, getList } from '../../core/base/json.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getRunnerOf } from '../../core/testing/runners.ts';
import type { DetectedProject, Detection, RepoReader, RepoView, Witness } from './detection.ts';
import { detectNode } from './node.ts';
import { detectOther } from './others.ts';
import { detectPython } from './python.ts';

const PACKAGE = '@harness-proof/harness';

/** Looks at an existing repository and proposes how to install, test and lint it. */
export async function detectProject(root: string, repo: RepoReader): Promise<DetectedProject> {
  const files = new Set(await repo.listFiles());
  const view: RepoView = { files, readText: async path => (await repo.readFile(path)) ?? '' };
  const witness = await readWorkflows(view);
  const found = [
    await detectNode(view, witness),
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
  const ways = tests.map(full => ({ full, runner: getRunnerOf(full, null) }));
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
  const jobs = Object.values(getFields(getFields(parseOrNothing(text)).jobs));
  const steps = jobs.flatMap(job => getList(getFields(job).steps)).map(getFields);
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
