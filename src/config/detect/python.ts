import type { Detection, RepoView, TestWay, Witness } from './detection.ts';

interface Tool {
  readonly name: string;
  readonly lockfile: string | null;
  readonly install: string;
  /** What starts a program in its environment, and what starts a module. */
  readonly run: string;
  readonly module: string;
}

const TOOLS: readonly Tool[] = [
  tool('poetry', 'poetry.lock', 'poetry install'),
  tool('uv', 'uv.lock', 'uv sync --frozen'),
  tool('pipenv', 'Pipfile.lock', 'pipenv sync --dev'),
  tool('pdm', 'pdm.lock', 'pdm sync'),
  { ...tool('hatch', null, ''), run: 'hatch run ', module: 'hatch run python -m ' },
];
const PIP: Tool = { name: 'pip', lockfile: null, install: '', run: 'python3 -m ', module: 'python3 -m ' };
const MARKS = [
  ...['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'pytest.ini', 'tox.ini'],
  ...['noxfile.py', 'unittest.cfg', 'nose2.cfg'],
];
const TEST_FILE = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/;

/** A Python project, told by its packaging files, or by its tests where it has none. */
export async function detectPython(view: RepoView, witness: Witness): Promise<Detection | null> {
  const { files } = view;
  const tests = [...files].filter(file => TEST_FILE.test(file));
  if (!MARKS.some(mark => files.has(mark)) && tests.length === 0) return null;
  const project = await view.readText('pyproject.toml');
  const own = getTool(files, project);
  const hasLockfile = own.lockfile !== null && files.has(own.lockfile);
  const ways = await getWays(view, own, project, tests);
  const [first, ...others] = (await needsPath(view, own)) ? ways.map(withPath) : ways;
  return {
    language: 'python',
    name: /^name\s*=\s*["']([^"']+)["']/m.exec(project)?.[1] ?? null,
    packageManager: own.name,
    install: hasLockfile ? own.install : null,
    otherInstalls: getOtherInstalls(files, own, witness),
    runner: first?.runner ?? 'command',
    full: first?.full ?? null,
    report: null,
    feature: first?.feature ?? null,
    otherWays: others,
    lint: await getLint(view, own, project),
    typeCheck: await getTypeCheck(view, own, project),
    notes: first === undefined ? ['No tests were found: set testing.full.'] : [],
  };
}

function tool(name: string, lockfile: string | null, install: string): Tool {
  return { name, lockfile, install, run: `${name} run `, module: `${name} run python -m ` };
}

const withPath = (way: TestWay): TestWay => ({
  ...way,
  full: `PYTHONPATH=src ${way.full}`,
  ...(way.feature ? { feature: `PYTHONPATH=src ${way.feature}` } : {}),
});

/** Every way that something in the repository tells of, the one with the best report first. */
async function getWays(
  view: RepoView,
  own: Tool,
  project: string,
  tests: readonly string[],
): Promise<readonly TestWay[]> {
  const { files } = view;
  const requirements = getRequirements(files);
  const says = (word: RegExp) =>
    isMentioned(view, word, ['pyproject.toml', 'setup.cfg', 'tox.ini', ...requirements]);
  const pytest: TestWay = { runner: 'pytest', full: `${own.run}pytest` };
  const hasPytest = await isPytestUsed(view, project, tests);
  const hasNose = files.has('nose2.cfg') || files.has('unittest.cfg') || (await says(/\bnose2\b/));
  return [
    ...(hasPytest ? [pytest] : []),
    ...(hasNose ? getNose(own) : []),
    ...(tests.length > 0 ? getUnittest(own, tests) : []),
    ...(files.has('tox.ini') || /^\[tool\.tox\b/m.test(project) ? [getCommand('tox')] : []),
    ...(files.has('noxfile.py') ? [getCommand('nox')] : []),
    ...(/^\[tool\.hatch\.envs/m.test(project) ? [getCommand('hatch run test')] : []),
    ...(await getOwnProgram(view, tests)),
  ];
}

const getCommand = (full: string): TestWay => ({ runner: 'command', full });

function getNose({ module }: Tool): readonly TestWay[] {
  const flags = '--plugin nose2.plugins.junitxml --junit-xml --junit-xml-path {report}';
  return [{ runner: 'junit', full: `${module}nose2 ${flags}` }, getCommand(`${module}nose2`)];
}

/** Discovery finds what can be imported from where it begins: from the root, then from the folder of the tests. */
function getUnittest({ module }: Tool, tests: readonly string[]): readonly TestWay[] {
  const folders = [...new Set(tests.map(path => path.split('/')[0] ?? ''))].filter(
    name => !name.endsWith('.py'),
  );
  const pattern = tests.every(path => /(?:^|\/)test[^/]*\.py$/.test(path)) ? '' : " -p '*test*.py'";
  const start = `${module}unittest`;
  const feature = `${start} {file}`;
  return [
    { runner: 'command', full: pattern === '' ? start : `${start} discover${pattern}`, feature },
    ...folders.flatMap(folder => [
      { ...getCommand(`${start} discover -s ${folder} -t .${pattern}`), feature },
      getCommand(`${start} discover -s ${folder}${pattern}`),
    ]),
  ];
}

/** A test file that runs its tests when it is started. */
async function getOwnProgram(view: RepoView, tests: readonly string[]): Promise<readonly TestWay[]> {
  const [only, ...more] = tests;
  if (only === undefined || more.length > 0) return [];
  const runsItself = /__name__ == ["']__main__["']/.test(await view.readText(only));
  return runsItself ? [{ ...getCommand(`python3 ${only}`), feature: 'python3 {file}' }] : [];
}

/**
 * Code in src/ is imported by its own name: without a setting that says where it is, tests would take a copy
 * that is installed on the machine, whatever the tree says. Tools with environments install the tree itself.
 */
async function needsPath(view: RepoView, own: Tool): Promise<boolean> {
  if (own !== PIP || ![...view.files].some(file => /^src\/(?:[^/]+\/__init__|[^/]+)\.py$/.test(file)))
    return false;
  const settings = ['pyproject.toml', 'pytest.ini', 'pytest.toml', 'setup.cfg', 'tox.ini'];
  return !(await isMentioned(view, /^\s*pythonpath\s*=/m, settings));
}

function getTool(files: ReadonlySet<string>, project: string): Tool {
  const locked = TOOLS.find(({ lockfile }) => lockfile !== null && files.has(lockfile));
  const named = TOOLS.find(({ name }) => name !== 'hatch' && project.includes(`[tool.${name}`));
  return locked ?? named ?? PIP;
}

/** Tried where nothing gives a result without: what the pipeline installs, or the lists of packages that are there. */
function getOtherInstalls(files: ReadonlySet<string>, own: Tool, { installs }: Witness): readonly string[] {
  const pip = installs.filter(line => /^(?:python3? -m )?pip3? install/.test(line));
  const plain = pip.map(line => line.replace(/^(?:python3? -m )?pip3?/, 'python3 -m pip'));
  const lists = getRequirements(files).map(path => `-r ${path}`);
  const without =
    own.lockfile !== null && !files.has(own.lockfile) ? [own.install.replace(' --frozen', '')] : [];
  return [
    ...without,
    ...(plain.length > 0 ? [plain.join(' && ')] : []),
    ...(lists.length > 0 ? [`python3 -m pip install ${lists.join(' ')}`] : []),
  ];
}

/** How many test files are read for a sign of the runner. */
const MAX_READ = 20;

async function isPytestUsed(view: RepoView, project: string, tests: readonly string[]): Promise<boolean> {
  const { files } = view;
  if (files.has('pytest.ini') || files.has('conftest.py') || files.has('tests/conftest.py')) return true;
  if (/\bpytest\b/.test(project)) return true;
  const settings = ['setup.cfg', 'tox.ini', 'noxfile.py', 'Pipfile', ...getRequirements(files)];
  if (await isMentioned(view, /\bpytest\b/, settings)) return true;
  // Tests that are plain functions are seen by no other runner.
  return isMentioned(view, /^(?:import|from) pytest\b|^(?:async )?def test/m, tests.slice(0, MAX_READ));
}

async function getLint(view: RepoView, own: Tool, project: string): Promise<string | null> {
  const { files } = view;
  const lists = getRequirements(files);
  const hasRuff =
    ['ruff.toml', '.ruff.toml'].some(name => files.has(name)) ||
    /\bruff\b/.test(project) ||
    (await isMentioned(view, /^ruff\b/m, lists));
  if (hasRuff) return `${own.run}ruff check .`;
  const hasFlake =
    files.has('.flake8') || (await isMentioned(view, /^\[flake8\]/m, ['setup.cfg', 'tox.ini']));
  return hasFlake ? `${own.run}flake8` : null;
}

async function getTypeCheck(view: RepoView, own: Tool, project: string): Promise<string | null> {
  const hasMypy =
    view.files.has('mypy.ini') ||
    (await isMentioned(view, /^\[(?:tool\.)?mypy/m, ['setup.cfg', 'pyproject.toml']));
  if (hasMypy) return /^\s*(?:files|packages)\s*=/m.test(project) ? `${own.run}mypy` : `${own.run}mypy .`;
  return view.files.has('pyrightconfig.json') || project.includes('[tool.pyright]')
    ? `${own.run}pyright`
    : null;
}

function getRequirements(files: ReadonlySet<string>): readonly string[] {
  return [...files].filter(file =>
    /^(?:requirements\/)?[\w-]*requirements[\w-]*\.txt$|^requirements\/[\w-]+\.txt$/.test(file),
  );
}

async function isMentioned(view: RepoView, pattern: RegExp, paths: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(paths.map(path => view.readText(path)));
  return texts.some(text => pattern.test(text));
}
