// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell placeholders that must survive
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../load.ts';
import { getPolicy } from '../policy.ts';
import { detectProject } from './detect.ts';
import type { DetectedProject } from './detection.ts';
import { renderConfig } from './render-config.ts';

type Repo = Readonly<Record<string, string>>;
const node = (manifest: object): string => JSON.stringify({ name: 'shop', ...manifest });
const dev = (...names: readonly string[]) => ({
  devDependencies: Object.fromEntries(names.map(name => [name, '1'])),
});
const test = (script: string) => ({ scripts: { test: script } });

/** A repository, and what is to be found out about it. */
const REPOS: readonly (readonly [title: string, repo: Repo, expected: Partial<DetectedProject>])[] = [
  [
    'vitest with npm',
    { 'package.json': node({ ...dev('vitest', 'eslint'), ...test('vitest') }), 'package-lock.json': '' },
    {
      language: 'node',
      name: 'shop',
      runner: 'vitest',
      full: 'npx vitest run',
      install: 'npm ci',
      lint: 'npx eslint .',
    },
  ],
  [
    'vitest with flags of its own',
    { 'package.json': node({ ...dev('vitest'), ...test('vitest --config unit.config.ts --watch') }) },
    { full: 'npx vitest run --config unit.config.ts', install: 'npm install --no-package-lock', lint: null },
  ],
  [
    'a type check and a build of its own',
    {
      'package.json': node({
        ...dev('typescript'),
        scripts: { test: 'node --test', typecheck: 'tsc', build: 'node build.js' },
      }),
    },
    { typeCheck: 'npm run typecheck', build: 'npm run build' },
  ],
  [
    'a compiler with settings, and no script for it',
    {
      'package.json': node({ ...dev('typescript'), ...test('node --test') }),
      'tsconfig.json': '{}',
      'pnpm-lock.yaml': '',
    },
    { typeCheck: 'pnpm exec tsc --noEmit', build: null },
  ],
  [
    'an agent that was installed and nothing else',
    {
      'package.json': node({ ...dev('@openai/codex-sdk'), ...test('node --test') }),
      'package-lock.json': '',
    },
    { full: 'node --test', install: null },
  ],
  [
    'vitest behind a build',
    { 'package.json': node({ ...dev('vitest'), ...test('tsc && vitest run') }) },
    { full: 'npx vitest run', notes: [expect.stringContaining('tsc && vitest run')] as never },
  ],
  [
    'jest with pnpm, although vitest is there too',
    { 'package.json': node({ ...dev('vitest', 'jest'), ...test('jest --ci') }), 'pnpm-lock.yaml': '' },
    { runner: 'jest', full: 'pnpm exec jest --ci', install: 'pnpm install --frozen-lockfile' },
  ],
  [
    'mocha with modern yarn and biome',
    { 'package.json': node(dev('mocha')), 'yarn.lock': '', '.yarnrc.yml': '', 'biome.json': '{}' },
    {
      runner: 'mocha',
      full: 'yarn run mocha',
      install: 'yarn install --immutable',
      lint: 'yarn run biome check',
    },
  ],
  [
    'ava with bun',
    { 'package.json': node({ ...dev('ava'), ...test('ava') }), 'bun.lock': '' },
    { runner: 'tap', full: 'bunx ava --tap', install: 'bun install --frozen-lockfile' },
  ],
  ['node:test', { 'package.json': node(test('node --test')) }, { runner: 'node', full: 'node --test' }],
  [
    'tsx --test',
    { 'package.json': node(test('tsx --test src/*.test.ts')) },
    { runner: 'node', full: 'npx tsx --test src/*.test.ts' },
  ],
  ['an unknown script', { 'package.json': node(test('./run-all')) }, { runner: 'command', full: 'npm test' }],
  [
    'a manager named in package.json',
    { 'package.json': node({ ...test('lerna run test'), packageManager: 'pnpm@9.1.0' }) },
    { runner: 'command', full: 'pnpm test', install: null },
  ],
  [
    'the placeholder script of npm init',
    { 'package.json': node(test('echo "Error: no test specified" && exit 1')) },
    { full: null, notes: [expect.stringContaining('testing.full')] as never },
  ],
  ['a broken package.json', { 'package.json': '{ nope' }, { language: 'node', name: 'repo', full: null }],
  [
    'pytest with poetry and ruff',
    {
      'pyproject.toml': '[tool.poetry]\nname = "api"\n[tool.pytest.ini_options]\n[tool.ruff]\n',
      'poetry.lock': '',
    },
    {
      language: 'python',
      name: 'api',
      runner: 'pytest',
      full: 'poetry run pytest',
      install: 'poetry install',
      lint: 'poetry run ruff check .',
    },
  ],
  [
    'pytest with uv',
    { 'pyproject.toml': '[project]\nname = "api"\n[dependency-groups]\ndev = ["pytest"]\n', 'uv.lock': '' },
    { runner: 'pytest', full: 'uv run pytest', install: 'uv sync --frozen', lint: null },
  ],
  [
    'pytest from requirements',
    { 'requirements.txt': 'flask\n', 'requirements-dev.txt': 'pytest==8\nruff\n' },
    { runner: 'pytest', full: 'python3 -m pytest', install: null, lint: 'python3 -m ruff check .' },
  ],
  [
    'pytest with its code in src',
    { 'pyproject.toml': '[project]\nname = "api"\n', 'src/api/__init__.py': '', 'pytest.ini': '[pytest]\n' },
    { runner: 'pytest', full: 'PYTHONPATH=src python3 -m pytest' },
  ],
  [
    'pytest that is told where its code is',
    { 'pytest.ini': '[pytest]\npythonpath = src\n', 'src/api/__init__.py': '' },
    { full: 'python3 -m pytest' },
  ],
  [
    'pytest by tests that are plain functions',
    { 'setup.py': '', 'tests/test_a.py': 'import parse\n\n\ndef test_a():\n    assert parse\n' },
    { runner: 'pytest', full: 'python3 -m pytest' },
  ],
  ['unittest', { 'setup.py': '', 'tests/test_a.py': '' }, { runner: 'command', full: 'python3 -m unittest' }],
  [
    'go',
    { 'go.mod': 'module example.com/acme/tool/v2\n', 'go.sum': '', '.golangci.yml': '' },
    {
      language: 'go',
      name: 'tool',
      runner: 'go',
      full: 'go test ./...',
      install: 'go mod download',
      lint: 'golangci-lint run',
    },
  ],
  [
    'cargo with clippy',
    { 'Cargo.toml': '[package]\nversion = "1"\nname = "grind"\n[lints.clippy]\n', 'Cargo.lock': '' },
    {
      language: 'rust',
      name: 'grind',
      runner: 'cargo',
      full: 'cargo test',
      install: 'cargo fetch --locked',
      lint: 'cargo clippy --all-targets',
    },
  ],
  [
    'nextest with a report',
    {
      'Cargo.toml': '[package]\nname = "g"\n',
      '.config/nextest.toml': '[profile.ci.junit]\npath = "j.xml"\n',
    },
    { runner: 'junit', full: 'cargo nextest run --profile ci', report: 'target/nextest/ci/j.xml' },
  ],
  [
    'a python service with an untested package.json',
    { 'package.json': node({}), 'pytest.ini': '', 'requirements.txt': '' },
    { language: 'python', full: 'python3 -m pytest' },
  ],
  [
    'a Makefile',
    { Makefile: 'all:\n\ntest: all\n\techo\n' },
    { language: 'unknown', full: 'make test', name: 'repo' },
  ],
  ['nothing at all', {}, { language: 'unknown', full: null, name: 'repo', install: null, lint: null }],
];

describe('detectProject', () => {
  it.each(REPOS)('recognises %s', async (_, repo, expected) => {
    expect(await detect(repo)).toMatchObject(expected);
  });

  it.each(REPOS)('proposes a file for %s that loads to what was found', async (_, repo) => {
    const found = await detect(repo);
    const policy = getPolicy(parseConfig(renderConfig(found), '.harness.yaml', {}), { baseBranch: 'main' });
    expect(policy).toMatchObject({
      project: found.name,
      lintCommand: found.lint,
      environment: { install: found.install },
      testing: {
        full: found.full,
        runner: found.full === null ? 'command' : found.runner,
        reportPath: found.report,
      },
    });
  });

  it('points editors to the schema only where the package is installed', async () => {
    const found = await detect({ 'package.json': node(dev('@harness-proof/harness')) });
    expect(renderConfig(found).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./node_modules/@harness-proof/harness/schema/harness.schema.json',
    );
    expect(renderConfig(await detect({}))).not.toContain('$schema');
  });
});

describe('renderConfig', () => {
  it.each([
    'a: b # c',
    'it\'s "x"',
    '${HOME} $${X}',
    '- x',
    'yes',
    '42',
    'multi\nline',
    '{a}',
    '*x',
    '#',
    ' x ',
  ])('writes %j so that it is read back unchanged', async value => {
    const found = { ...(await detect({})), name: value, full: value, install: value, lint: value };
    const config = parseConfig(renderConfig(found), '.harness.yaml', {});
    const trimmed = value.trim();
    expect([
      config.project.name,
      config.testing.full,
      config.environment.install,
      config.quality.lint_command,
    ]).toEqual([trimmed, trimmed, trimmed, trimmed]);
  });
});

function detect(repo: Repo): Promise<DetectedProject> {
  return detectProject('/somewhere/repo', {
    listFiles: async () => Object.keys(repo),
    readFile: async path => repo[path] ?? null,
  });
}
