import { describe, expect, it } from 'vitest';
import { matchesAny } from '../core/glob.ts';
import { DEFAULT_PROMPTS } from '../prompts/default-prompts.ts';
import { getCommandScripts } from './command-scripts.ts';
import { FULL_EXAMPLE } from './full-example.ts';
import { parseConfig } from './load.ts';
import { getPolicy } from './policy.ts';
import { getRunner } from './runner.ts';

const getFor = (yaml: string, facts = { baseBranch: 'main' }) =>
  getPolicy(parseConfig(`project: { name: shop }\n${yaml}`, '.harness.yaml', {}), facts);

describe('getPolicy', () => {
  it('resolves every setting into its unit', () => {
    const config = parseConfig(FULL_EXAMPLE, '.harness.yaml', { DATABASE_URL: 'x' });
    const { protectedGlobs, testGlobs, environment, prompts, ...policy } = getPolicy(config, {
      baseBranch: 'main',
    });
    expect(policy).toMatchSnapshot();
    expect({
      ...environment,
      lockfiles: environment.lockfiles.includes('package-lock.json'),
    }).toMatchSnapshot();
    expect(protectedGlobs).toEqual(expect.arrayContaining(['scripts/**', '.state/**', '.harness.yaml']));
    expect(testGlobs.length).toBeGreaterThan(10);
    expect(prompts).toEqual(DEFAULT_PROMPTS);
  });

  it('is budgeted, exclusive and lands on the detected branch when nothing is said', () => {
    expect(getFor('')).toMatchObject({
      baseBranch: 'main',
      land: 'base',
      exclusive: true,
      budget: { perSessionUsd: 10, perTaskUsd: 25, totalUsd: 200 },
      sessionTimeoutMs: 3_600_000,
      lintCommand: null,
      testing: { runner: 'command', full: null, feature: null, reportPath: null },
    });
  });

  it('refuses pull requests until they exist', () => {
    expect(() => getFor('git: { land: pr }')).toThrowError(
      expect.objectContaining({ code: 'config', details: expect.objectContaining({ field: 'git.land' }) }),
    );
  });

  it('takes the shorter of the two session limits', () => {
    expect(getFor('agent: { timeout_seconds: 0.5 }').sessionTimeoutMs).toBe(500);
    expect(getFor('agent: { timeout_seconds: 90000 }').sessionTimeoutMs).toBe(3_600_000);
  });

  it('falls back to the sanity commands, and runs no linter whose result nobody wants', () => {
    const sanity = 'testing: { sanity: { lint: ruff, health: ping } }';
    expect(getFor(sanity)).toMatchObject({ lintCommand: 'ruff', environment: { healthCheck: 'ping' } });
    expect(getFor(`${sanity}\nquality: { warn_on_lint_errors: false }`).lintCommand).toBeNull();
  });

  it.each([
    ...['vitest.config.ts', 'packages/a/vite.config.mts', 'jest.config.js', '.mocharc.yml', 'pytest.ini'],
    ...['pyproject.toml', 'tox.ini', 'setup.cfg', 'tests/conftest.py', 'tsconfig.build.json', '.babelrc'],
    ...['eslint.config.js', '.eslintrc', 'biome.json', 'ruff.toml', '.prettierrc.json', '.golangci.yml'],
    ...['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lockb', 'poetry.lock', 'uv.lock', 'go.sum'],
    ...[
      'go.mod',
      'Cargo.lock',
      'Cargo.toml',
      'requirements-dev.txt',
      'Pipfile.lock',
      'package.json',
      '.npmrc',
    ],
    ...['web/package.json', '.yarnrc.yml', 'Makefile', '.github/workflows/ci.yml', '.gitlab-ci.yml'],
    ...[
      '.circleci/config.yml',
      '.harness.yaml',
      'harness.config.ts',
      'init.sh',
      'reset.sh',
      'harness-init.sh',
    ],
    ...['.gitattributes', '.gitmodules', '.env', '.env.local', '.harness/state.db'],
  ])('protects %s', path => {
    expect(matchesAny(path, getFor('').protectedGlobs)).toBe(true);
  });

  it('protects what the scripts of package.json run', () => {
    const { protectedGlobs } = getPolicy(parseConfig('project: { name: x }\n', '.harness.yaml', {}), {
      baseBranch: 'main',
      scripts: ['bash scripts/test.sh', 'node tools/check.js && eslint .'],
    });
    expect(['scripts/test.sh', 'tools/check.js'].map(path => matchesAny(path, protectedGlobs))).toEqual([
      true,
      true,
    ]);
  });

  it.each(['src/index.ts', 'README.md', 'src/test.ts.md', 'lib/env.ts', 'docs/guide.md', 'features.json'])(
    'leaves %s to the tasks',
    path => {
      const { protectedGlobs, testGlobs } = getFor('testing: { full: eslint src/index.ts }');
      expect(matchesAny(path, [...protectedGlobs, ...testGlobs])).toBe(false);
    },
  );

  it.each([
    ...['src/a.test.ts', 'a.spec.js', 'test/a.js', 'pkg/tests/b.py', 'src/__tests__/c.ts', 'pkg/sum_test.go'],
    ...['test_app.py', 'app/app_test.py', 'src/__snapshots__/a.snap', 'src/test/java/A.java'],
  ])('knows %s as a test', path => {
    expect(matchesAny(path, getFor('').testGlobs)).toBe(true);
  });

  it('protects the scripts that judge the work', () => {
    const { protectedGlobs } = getFor(
      'testing: { full: bash scripts/check.sh }\nquality: { lint_command: ./lint }',
    );
    expect(protectedGlobs).toEqual(expect.arrayContaining(['scripts/check.sh', 'lint']));
  });
});

it.each<[string, readonly string[]]>([
  ['npx vitest run', []],
  ['./init.sh --fast', ['init.sh']],
  ['CI=1 scripts/test all && sh ./tools/lint.sh', ['scripts/test', 'tools/lint.sh']],
  ['bash -e scripts/a.sh | tee log', ['scripts/a.sh']],
  ['node --import tsx tools/run.ts', []],
  ['node tools/run.mjs', ['tools/run.mjs']],
  ['python3 -m pytest', []],
  ['node --test test/a.test.js', []],
  ['/usr/bin/make test', []],
  ['../outside.sh', []],
  ['node_modules/.bin/jest', []],
  ['sh -c "exit 0"', []],
  ['', []],
])('the scripts of %j are %j', (command, scripts) => {
  expect(getCommandScripts(command)).toEqual(scripts);
});

it.each([
  ['npx vitest run', null, 'vitest'],
  ['pnpm exec jest --ci', null, 'jest'],
  ['npm run build && node --import tsx --test test/', null, 'node'],
  ['poetry run pytest tests/ -v', null, 'pytest'],
  ['go test ./...', null, 'go'],
  ['cargo nextest run', null, 'cargo'],
  ['npm test', null, 'command'],
  ['make check', null, 'command'],
  [null, null, 'command'],
  ['mvn test', 'target/junit.xml', 'junit'],
  ['prove', 'out.tap', 'tap'],
])('%s with report %s is read as %s', (command, report, runner) => {
  expect(getRunner(command, report)).toBe(runner);
});
