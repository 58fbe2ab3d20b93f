import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { parseConfig } from '../config/load.ts';
import { getPolicy } from '../config/policy.ts';
import { isStub } from '../core/code/stub-mark.ts';
import { PLAN_LANGUAGES, type Plan, type PlannedTask } from '../core/decide/plan.ts';
import { getPlannerPrompt, getTree, type PlannerBrief } from './planner-prompt.ts';
import { getStub } from './scaffold.ts';
import { getEnvironmentScripts, getSetup } from './setup-files.ts';

const task = (test_file: string): PlannedTask => ({
  ...{
    id: '1',
    title: 'A "thing"',
    depends_on: [],
    test_file,
    verification_steps: ['x'],
    files: [],
    size: 'small',
  },
});
const PLAN: Plan = { project: 'till', summary: 'Sums.', tasks: [task('test/a.test.js')] };

function setUp(files: Record<string, string>, plan: Plan, isUnborn = false) {
  return getSetup({
    plan,
    root: '/x/folder',
    repo: { listFiles: async () => Object.keys(files), readFile: async path => files[path] ?? null },
    hasConfig: false,
    isUnborn,
    provider: 'claude',
    paths: { features: 'features.json', progress: 'claude-progress.txt', state_dir: '.harness' },
    atMs: 0,
  });
}

describe('setting a planned project up', () => {
  it.each(PLAN_LANGUAGES)('gives an empty folder for %s a config that loads', async language => {
    const { files } = await setUp({}, { ...PLAN, language });
    const config = files.find(({ path }) => path === '.harness.yaml')?.text ?? '';
    const policy = getPolicy(parseConfig(config, '.harness.yaml', {}), { baseBranch: 'main' });
    expect(policy.environment).toMatchObject({ init: './init.sh', reset: './reset.sh' });
    expect(policy.providers[0]).toBe('claude');
    if (language !== 'other') expect(policy.testing.full).not.toBeNull();
  });

  it('overwrites nothing, and adds one line to .gitignore', async () => {
    const own = {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'init.sh': 'x',
      '.gitignore': 'dist/',
    };
    const { files } = await setUp(own, { ...PLAN, language: 'python' });
    expect(files.map(({ path }) => path).sort()).toEqual(
      ['.gitignore', '.harness.yaml', 'claude-progress.txt', 'features.json', 'reset.sh'].sort(),
    );
    expect(files.find(({ path }) => path === '.gitignore')?.text).toBe('dist/\n.harness/\n');
  });

  it('puts tests into a manifest that an agent was installed with, and keeps what is in it', async () => {
    const devDependencies = { '@openai/codex-sdk': '1' };
    const own = { 'package.json': JSON.stringify({ devDependencies }), 'package-lock.json': '{}' };
    const { files, detected } = await setUp(own, { ...PLAN, language: 'node' }, true);
    const get = (path: string) => files.find(file => file.path === path)?.text ?? '';
    expect(JSON.parse(get('package.json'))).toEqual({
      ...{ private: true, type: 'module', devDependencies, scripts: { test: 'node --test' } },
    });
    expect(get('package-lock.json')).toBe('{}');
    expect(get('.gitignore')).toBe('node_modules/\ncoverage/\n.harness/\n');
    expect(detected).toMatchObject({ full: 'node --test', runner: 'node', install: null });
  });

  it('leaves such a manifest out of a project in another language', async () => {
    const own = { 'package.json': '{"devDependencies":{"@openai/codex-sdk":"1"}}' };
    const { files, detected } = await setUp(own, { ...PLAN, language: 'python' }, true);
    expect(files.map(({ path }) => path)).not.toContain('package.json');
    expect(files.find(({ path }) => path === '.gitignore')?.text).toContain('node_modules/\n');
    expect(detected.full).toBe('python3 -m pytest');
  });

  it.each([
    ['package.json', '{"name":"shop"}', 'node --test'],
    ['pyproject.toml', '[project]\nname = "shop"\n', 'python3 -m pytest'],
  ])('gives a project with %s but no tests a command for them', async (path, text, full) => {
    const { files, detected } = await setUp({ [path]: text }, PLAN);
    expect(detected.full).toBe(full);
    expect(files.map(file => file.path)).not.toContain(path);
    expect(files.find(file => file.path === '.harness.yaml')?.text).toContain(`full: ${full}`);
  });

  it.each(['node', 'python', 'go', 'rust', 'unknown'] as const)(
    'writes scripts for %s that bash can read',
    language => {
      const found = {
        name: null,
        packageManager: null,
        runner: 'command',
        full: null,
        report: null,
      } as const;
      for (const { text } of getEnvironmentScripts({
        ...found,
        language,
        install: 'npm ci',
        lint: null,
        notes: [],
      }))
        execFileSync('bash', ['-n'], { input: text });
    },
  );
});

describe('a stub', () => {
  it.each([
    ['node', 'test/a.test.js', true, "from 'node:test'"],
    ['node', 'test/a.test.js', false, "require('node:test')"],
    ['node', 'test/a.test.mjs', false, "from 'node:test'"],
    ['vitest', 'src/a.test.ts', true, "from 'vitest'"],
    ['jest', 'src/a.test.js', false, '\ntest('],
    ['mocha', 'test/a.js', false, '\nit('],
    ['pytest', 'tests/test_a.py', false, 'pytest.fail('],
    ['cargo', 'tests/a.rs', false, '#[test]'],
  ] as const)('for %s in %s fails and says what it is', (runner, file, isModule, part) => {
    const text = getStub(task(file), runner, isModule);
    expect(text).toContain(part);
    expect(isStub(text)).toBe(true);
  });

  it.each([
    ['command', 'test/a.sh'],
    ['go', 'a_test.go'],
    ['junit', 'a_test.rb'],
    ['pytest', 'tests/test_a.txt'],
  ] as const)('is not written for %s: one red file would hide the others', (runner, file) => {
    expect(getStub(task(file), runner, false)).toBeNull();
  });
});

describe("the planner's prompt", () => {
  const brief: PlannerBrief = {
    ...{
      project: 'till',
      wish: { kind: 'spec', text: 'Build {{maxSteps}} it.' },
      files: ['a.js'],
      runner: 'node',
    },
    ...{ isTest: () => false, testCommand: 'node --test', tasks: [{ id: '1', title: 'One', passes: true }] },
    rules: { maxSteps: 7, maxFiles: 5, knownIds: ['1'], knownTestFiles: ['a.test.js'] },
  };

  it('begins the same for every question, and ends with what changes', () => {
    const first = getPlannerPrompt(simPolicy, brief, null);
    const again = getPlannerPrompt(simPolicy, brief, { plan: PLAN, problems: ['too big'] });
    expect(again.startsWith(first.trimEnd())).toBe(true);
    expect(again).toContain('- too big');
    expect(first).toContain('at most 7 verification steps');
    expect(first).toContain('Build {{maxSteps}} it.');
    expect(first).toContain('- 1: One (done)');
  });

  it('tells of a large project folder by folder', () => {
    const files = Array.from({ length: 5_000 }, (_, i) => `src/m${i % 50}/deep/f${i}.js`);
    const lines = getTree(files);
    expect(lines.length).toBeLessThanOrEqual(121);
    expect(lines[0]).toBe('src/m0/deep/ (100)');
  });
});
