import { describe, expect, it } from 'vitest';
import { FULL_EXAMPLE } from '../../test/support/full-example.ts';
import { matchesAny } from '../core/base/glob.ts';
import { getRunnerOf } from '../core/testing/runners.ts';
import { DEFAULT_PROMPTS } from '../prompts/default-prompts.ts';
import { parseConfig } from './load.ts';
import { getPolicy } from './policy.ts';
import { getCommandFiles } from './protected-globs.ts';

const getFor = (yaml: string, facts = { baseBranch: 'main' }) =>
  getPolicy(parseConfig(`project: { name: shop }\n${yaml}`, '.harness.yaml', {}), facts);

describe('getPolicy', () => {
  it('resolves every setting into its unit', () => {
    // A shared remote goes with no branch of one clone.
    const alone = FULL_EXAMPLE.replace('remote: upstream, ', '');
    const config = parseConfig(alone, '.harness.yaml', { DATABASE_URL: 'x' });
    const { protectedGlobs, environment, prompts, ...policy } = getPolicy(config, {
      baseBranch: 'main',
    });
    expect(policy).toMatchSnapshot();
    expect({
      ...environment,
      lockfiles: environment.lockfiles.includes('package-lock.json'),
    }).toMatchSnapshot();
    expect(protectedGlobs).toEqual(expect.arrayContaining(['scripts/**', '.state/**', '.harness.yaml']));
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

  it('refuses a shared remote whose work would stay in one clone', () => {
    expect(() => getFor('git: { land: branch, remote: origin }')).toThrowError(
      expect.objectContaining({
        code: 'config',
        details: {
          file: expect.any(String),
          field: 'git.land',
          fix: expect.stringContaining('git.base_branch'),
        },
      }),
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
    ...[
      'package-lock.json',
      'web/pnpm-lock.yaml',
      'yarn.lock',
      'poetry.lock',
      'uv.lock',
      'go.sum',
      'Cargo.lock',
    ],
    ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'init.sh', 'harness-init.sh'],
    ...['.harness.yaml', 'harness.config.ts', '.harness/state.db', '.gitattributes', 'lib/.gitmodules'],
  ])('protects %s', path => {
    expect(matchesAny(path, getFor('').protectedGlobs)).toBe(true);
  });

  it.each(['src/index.ts', 'README.md', 'src/test.ts.md', 'lib/env.ts', 'docs/guide.md', 'features.json'])(
    'leaves %s to the tasks',
    path => {
      const { protectedGlobs } = getFor('testing: { full: eslint src/index.ts }');
      expect(matchesAny(path, protectedGlobs)).toBe(false);
    },
  );

  it('protects the files that its own commands start, and leaves those of the tests to be watched', () => {
    const { protectedGlobs } = getFor(
      'environment: { init: sh dev/up.sh }\ntesting: { full: bash scripts/check.sh }',
    );
    expect(protectedGlobs).toContain('/dev/up.sh');
    expect(protectedGlobs).not.toContain('/scripts/check.sh');
  });
});

it.each<[string, readonly string[]]>([
  ['npm ci', []],
  ['./init.sh --fast', ['init.sh']],
  ['CI=1 scripts/test all && sh ./tools/lint.sh', ['scripts/test', 'tools/lint.sh']],
  ['/usr/bin/make test', []],
  ['../outside.sh', []],
  ['sh -c "exit 0"', []],
])('the files that %j may name are %j', (command, files) => {
  expect(getCommandFiles(command)).toEqual(files);
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
  expect(getRunnerOf(command, report)).toBe(runner);
});
