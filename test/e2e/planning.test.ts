import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/core/decide/plan.ts';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeRepo, makeTempDir, takeImage, write } from '../support/git-fixture.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/specs/${name}`, import.meta.url), 'utf8');
const SPEC = fixture('till.md');
const PLAN = JSON.parse(fixture('till-plan.json')) as Plan;
const BAD: Plan = { ...PLAN, tasks: PLAN.tasks.map(task => ({ ...task, depends_on: ['5'] })) };

/** A script whose planner gives these answers, one after the other. */
const answers = (...plans: unknown[]) =>
  JSON.stringify({ planner: { attempts: plans.map(answer => [BURN, { answer }]) } });
const BURN = { burn: { input: 10, output: 10, cost_usd: 0.25 } };

function makeFolder(script: string): string {
  const dir = join(makeTempDir(), 'till');
  mkdirSync(dir);
  write(dir, { 'till.md': SPEC, 'harness-agent.yaml': script });
  return dir;
}

const addTask = (id: string, more: object = {}) => ({
  summary: 'More.',
  tasks: [
    {
      ...{ id, title: `Thing ${id} exists`, depends_on: ['1'], test_file: `test/thing-${id}.sh` },
      ...{ verification_steps: ['it is there'], files: [`src/${id}.txt`], size: 'small' },
      ...more,
    },
  ],
});

describe.concurrent('init --spec', () => {
  it('makes a project of an empty folder: one commit with backlog, config, scripts, stubs and notes', async () => {
    const dir = makeFolder(answers(PLAN));
    const done = await runJson(dir, ['init', '--spec', 'till.md', '--yes']);
    expect(done).toMatchObject({ accepted: true, next: 'harness run --all' });
    expect(git(dir, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(git(dir, 'status', '--porcelain')).toBe('?? harness-agent.yaml\n?? till.md');
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    expect(features).toHaveLength(5);
    expect(features[4]).toMatchObject({ id: 5, depends_on: [1, 2], passes: false });
    expect(statSync(join(dir, 'init.sh')).mode & 0o111).not.toBe(0);
    expect(readFileSync(join(dir, '.gitignore'), 'utf8')).toContain('.harness/');
    expect(readFileSync(join(dir, 'claude-progress.txt'), 'utf8')).toContain('SESSION 0');
    expect(readFileSync(join(dir, 'test/vat.test.js'), 'utf8')).toContain('harness:stub');
    expect(existsSync(join(dir, '.harness/plan.json'))).toBe(false);
    const status = await runJson<{ summary?: unknown }>(dir, ['status']);
    expect(JSON.stringify(status)).toContain('"planner"');
  });

  it('without anybody to ask, changes nothing but keeps the plan, which --accept takes', async () => {
    const dir = makeFolder(answers(PLAN));
    const first = await runCli(dir, ['init', '--spec', 'till.md']);
    expect(first.stdout).toContain('← 1, 2');
    expect(first.stdout).toContain('harness plan --accept');
    expect(existsSync(join(dir, 'features.json'))).toBe(false);
    expect((await runCli(dir, ['plan'])).stdout).toContain('Nothing has been changed');
    expect((await runCli(dir, ['plan', '--accept'])).code).toBe(0);
    expect(git(dir, 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  it('sends a bad plan back with the reasons, and takes the better one', async () => {
    const dir = makeFolder(answers(BAD, { ...PLAN, language: undefined }, PLAN));
    const { code, stderr } = await runCli(dir, ['init', '--spec', 'till.md', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('answer 1 is not taken')]);
    const [log] = (await runCli(dir, ['log', '--type', 'planner.ended', '--json'])).stdout.split('\n');
    expect(log).toContain('wait for each other');
  });

  it('gives up after three times, keeps the last plan and says what is wrong with it', async () => {
    const dir = makeFolder(answers(BAD));
    const { code, stderr } = await runCli(dir, ['init', '--spec', 'till.md', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain('after 4 answers');
    expect(stderr).toContain('wait for each other');
    expect(existsSync(join(dir, '.harness/plan.json'))).toBe(true);
    const taken = await runCli(dir, ['plan', '--accept']);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('the plan cannot be accepted')]);
    expect(existsSync(join(dir, 'features.json'))).toBe(false);
  });

  it('leaves everything of an existing code base as it is', async () => {
    const files = {
      'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
      'init.sh': '#!/bin/sh\nexit 0\n',
      'test/price.test.js': "import 'node:test';\n",
    };
    const dir = makeRepo({ ...files, 'harness-agent.yaml': answers(PLAN), 'till.md': SPEC });
    expect((await runCli(dir, ['init', '--spec', 'till.md', '--yes'])).code).toBe(0);
    for (const [path, text] of Object.entries(files))
      expect(readFileSync(join(dir, path), 'utf8')).toBe(text);
    expect(git(dir, 'rev-list', '--count', 'HEAD')).toBe('2');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    expect(features.some((feature: { may_change?: unknown }) => feature.may_change)).toBe(false);
  });

  it.each([
    ['changes in the index', { 'new.txt': 'x' }, 'uncommitted changes'],
    ['files that were never committed', null, 'nothing is committed yet'],
  ])('refuses %s before the planner costs anything', async (_, staged, why) => {
    const dir = staged ? makeRepo({ 'a.txt': 'a\n' }) : makeFolder(answers(PLAN));
    write(dir, { 'till.md': SPEC, 'harness-agent.yaml': answers(PLAN), ...(staged ?? { 'a.txt': 'a' }) });
    if (staged) git(dir, 'add', 'new.txt');
    const { code, stderr } = await runCli(dir, ['init', '--spec', 'till.md', '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(existsSync(join(dir, '.harness/costs.yaml'))).toBe(false);
  });

  it('works in a folder in which nothing has been done but installing an agent', async () => {
    const dir = makeFolder(answers(PLAN));
    const manifest = { devDependencies: { '@anthropic-ai/claude-agent-sdk': '1' } };
    write(dir, {
      'package.json': JSON.stringify(manifest),
      'package-lock.json': '{}\n',
      'node_modules/x/index.js': '1\n',
    });
    expect(await runCli(dir, ['init', '--spec', 'till.md', '--yes'])).toMatchObject({ code: 0 });
    expect(git(dir, 'status', '--porcelain')).toBe('?? harness-agent.yaml\n?? till.md');
    expect(JSON.parse(git(dir, 'show', 'HEAD:package.json'))).toMatchObject(manifest);
    expect(readFileSync(join(dir, '.harness.yaml'), 'utf8')).toContain('full: node --test');
    expect(readFileSync(join(dir, 'test/vat.test.js'), 'utf8')).toContain('harness:stub');
  });

  it('names the file with what a planner said that gave no plan', async () => {
    const dir = makeFolder(JSON.stringify({ planner: [{ give_up: 'No idea.' }] }));
    const { code, stderr } = await runCli(dir, ['init', '--spec', 'till.md', '--yes']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('No idea.')]);
    const [, prefix = '-'] = /sessions\/(planner-[^*]+)\*\.jsonl/.exec(stderr) ?? [];
    expect(existsSync(join(dir, '.harness/sessions', `${prefix}1.jsonl`))).toBe(true);
  });

  it('works with any program as the agent, which comes with the first commit', async () => {
    const dir = makeFolder('');
    write(dir, { 'agent.sh': `#!/bin/sh\necho Here it is:\ncat <<'END'\n${JSON.stringify(PLAN)}\nEND\n` });
    chmodSync(join(dir, 'agent.sh'), 0o755);
    const init = ['init', '--spec', 'till.md', '--yes', '--agent', 'command'];
    const refused = await runCli(dir, init);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--command "./agent.sh"')]);
    expect(await runCli(dir, [...init, '--command', './agent.sh --fast'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(dir, '.harness.yaml'), 'utf8')).toContain('  command: ./agent.sh --fast\n');
    expect(git(dir, 'ls-files', '-s', 'agent.sh')).toMatch(/^100755 /);
    expect(git(dir, 'status', '--porcelain')).toBe('?? harness-agent.yaml\n?? till.md');
  });

  it('says what is missing before anything can be proven', async () => {
    const dir = makeFolder(answers({ ...PLAN, language: 'other' }));
    const done = await runJson(dir, ['init', '--spec', 'till.md', '--yes']);
    expect(done).toMatchObject({ next: 'set testing.full in .harness.yaml, then harness run --all' });
  });

  it('finishes a first commit whose maker was killed before the files were laid out', async () => {
    const dir = makeFolder(answers(PLAN));
    await runCli(dir, ['init', '--spec', 'till.md', '--yes']);
    git(dir, 'rm', '-rqf', '.');
    git(dir, 'update-index', '--refresh');
    const { rmSync } = await import('node:fs');
    rmSync(join(dir, '.git/index'));
    await runCli(dir, ['plan']);
    expect(git(dir, 'status', '--porcelain')).toBe('?? harness-agent.yaml\n?? till.md');
  });
});

describe.concurrent('planning in a project that runs', () => {
  it('add-feature appends one task and leaves the others alone', async () => {
    const dir = makeProject({ 'agent.yaml': answers(addTask('4')) });
    const done = await runJson(dir, ['add-feature', 'Thing 4', '--yes']);
    expect(done).toMatchObject({ accepted: true });
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    expect(features.map((f: { id: number }) => f.id)).toEqual([1, 2, 3, 4]);
    expect(readFileSync(join(dir, 'features.json'), 'utf8').startsWith(getBacklog().slice(0, -10))).toBe(
      true,
    );
  });

  it('a plan of two tasks is no answer to one wish', async () => {
    const two = { summary: 'x', tasks: [...addTask('4').tasks, ...addTask('5').tasks] };
    const dir = makeProject({ 'agent.yaml': answers(two) });
    const { code, stderr } = await runCli(dir, ['add-feature', 'Thing 4', '--yes']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('one task is wanted, not 2')]);
  });

  it('plan --spec refuses ids and test files that are taken, and depends on what has landed', async () => {
    const taken = addTask('1', { test_file: 'test/thing-2.sh', depends_on: [] });
    const dir = makeProject({ 'agent.yaml': answers(taken, addTask('4')), 'more.md': 'More things.\n' });
    const { code, stderr } = await runCli(dir, ['plan', '--spec', 'more.md', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('not taken, 2 findings')]);
  });

  it('split puts smaller tasks in the place of one, and whoever waited for it waits for them', async () => {
    const [four] = addTask('4', { depends_on: [] }).tasks;
    const [five] = addTask('5', { depends_on: ['4'] }).tasks;
    const dir = makeProject({ 'agent.yaml': answers({ summary: 'Two.', tasks: [four, five] }) });
    expect((await runCli(dir, ['split', '2', '--yes'])).code).toBe(0);
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    const deps = Object.fromEntries(
      features.map((f: { id: number; depends_on?: number[] }) => [f.id, f.depends_on]),
    );
    expect(deps).toEqual({ 1: undefined, 3: [5], 4: [1], 5: [4] });
  });

  it('with --dry-run shows every file and touches nothing but the plan that waits', async () => {
    const dir = makeProject({ 'agent.yaml': answers(addTask('4')) });
    const before = git(dir, 'rev-parse', 'HEAD');
    const { stdout } = await runCli(dir, ['add-feature', 'Thing 4', '--dry-run']);
    expect(stdout).toContain('"description": "Thing 4 exists"');
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(before);
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('a plan that was taken by a command killed at the end is not taken twice', async () => {
    const dir = makeProject({ 'agent.yaml': answers(addTask('4')) });
    await runCli(dir, ['add-feature', 'Thing 4']);
    const waiting = readFileSync(join(dir, '.harness/plan.json'), 'utf8');
    await runCli(dir, ['plan', '--accept']);
    write(dir, { '.harness/plan.json': waiting });
    const image = takeImage(dir);
    const { code, stdout } = await runCli(dir, ['plan', '--accept']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('accepted already')]);
    expect(git(dir, 'rev-list', '--count', 'HEAD')).toBe('2');
    expect(Object.keys(image)).not.toHaveLength(0);
  });

  it('planning comes out of the budget, and stops with it', async () => {
    const dir = makeProject({ 'agent.yaml': answers(addTask('4')) });
    commit(dir, {
      '.harness.yaml': `${readFileSync(join(dir, '.harness.yaml'), 'utf8')}costs: { total_project_usd: 0.2 }\n`,
    });
    const { code, stderr } = await runCli(dir, ['add-feature', 'Thing 4', '--yes']);
    expect([code, stderr]).toEqual([6, expect.stringContaining('planning stopped')]);
    expect(existsSync(join(dir, '.harness/plan.json'))).toBe(false);
  });
});
