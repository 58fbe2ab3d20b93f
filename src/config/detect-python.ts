import type { Detection, RepoView } from './detect.ts';

interface Tool {
  readonly name: string;
  readonly lockfile: string | null;
  readonly install: string;
  readonly run: string;
}

const TOOLS: readonly Tool[] = [
  { name: 'poetry', lockfile: 'poetry.lock', install: 'poetry install', run: 'poetry run ' },
  { name: 'uv', lockfile: 'uv.lock', install: 'uv sync --frozen', run: 'uv run ' },
  { name: 'pipenv', lockfile: 'Pipfile.lock', install: 'pipenv sync --dev', run: 'pipenv run ' },
];
const PIP: Tool = { name: 'pip', lockfile: null, install: '', run: 'python3 -m ' };
const MARKS = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'Pipfile',
  'pytest.ini',
  'tox.ini',
];

/** A Python project, told by its packaging files. */
export async function detectPython(view: RepoView): Promise<Detection | null> {
  const { files } = view;
  if (!MARKS.some(mark => files.has(mark))) return null;
  const project = await view.readText('pyproject.toml');
  const tool = getTool(files, project);
  const hasLockfile = tool.lockfile !== null && files.has(tool.lockfile);
  const tests = [...files].filter(file => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(file));
  const hasTests = tests.length > 0;
  const hasPytest = await isPytestUsed(view, project, tests);
  const plain = hasPytest ? `${tool.run}pytest` : hasTests ? getUnittest(tool) : null;
  const full = plain !== null && (await needsPath(view, tool)) ? `PYTHONPATH=src ${plain}` : plain;
  return {
    language: 'python',
    name: /^name\s*=\s*["']([^"']+)["']/m.exec(project)?.[1] ?? null,
    packageManager: tool.name,
    install: hasLockfile ? tool.install : null,
    runner: hasPytest ? 'pytest' : 'command',
    full,
    report: null,
    lint: (await isRuffUsed(view, project)) ? `${tool.run}ruff check .` : null,
    notes: full === null ? ['No tests were found: set testing.full.'] : [],
  };
}

/**
 * Code in src/ is imported by its own name: without a setting that says where it is, tests would take a copy
 * that is installed on the machine, whatever the tree says. Tools with environments install the tree itself.
 */
async function needsPath(view: RepoView, tool: Tool): Promise<boolean> {
  if (tool !== PIP || ![...view.files].some(file => /^src\/(?:[^/]+\/__init__|[^/]+)\.py$/.test(file)))
    return false;
  const settings = ['pyproject.toml', 'pytest.ini', 'pytest.toml', 'setup.cfg', 'tox.ini'];
  return !(await isMentioned(view, /^\s*pythonpath\s*=/m, settings));
}

function getTool(files: ReadonlySet<string>, project: string): Tool {
  const locked = TOOLS.find(tool => tool.lockfile !== null && files.has(tool.lockfile));
  const named = TOOLS.find(tool => project.includes(`[tool.${tool.name}`));
  return locked ?? named ?? PIP;
}

function getUnittest(tool: Tool): string {
  return tool === PIP ? 'python3 -m unittest' : `${tool.run}python -m unittest`;
}

/** How many test files are read for a sign of the runner. */
const MAX_READ = 20;

async function isPytestUsed(view: RepoView, project: string, tests: readonly string[]): Promise<boolean> {
  const { files } = view;
  if (files.has('pytest.ini') || files.has('conftest.py') || files.has('tests/conftest.py')) return true;
  if (/\bpytest\b/.test(project)) return true;
  if (await isMentioned(view, /\bpytest\b/, ['setup.cfg', 'tox.ini', 'Pipfile', ...getRequirements(files)]))
    return true;
  // Tests that are plain functions are seen by no other runner.
  return isMentioned(view, /^(?:import|from) pytest\b|^(?:async )?def test/m, tests.slice(0, MAX_READ));
}

async function isRuffUsed(view: RepoView, project: string): Promise<boolean> {
  if (view.files.has('ruff.toml') || view.files.has('.ruff.toml')) return true;
  return /\bruff\b/.test(project) || isMentioned(view, /^ruff\b/m, getRequirements(view.files));
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
