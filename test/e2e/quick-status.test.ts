import { appendFileSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';

/** The entry without the rest of the program: it can give nothing but the quick answer. */
async function runQuickOnly(cwd: string, ...args: string[]): Promise<string | null> {
  const program = join(dirname(inject('harnessProgram')), 'quick', 'harness.js');
  const { stdout, code } = await runCli(cwd, args, {}, program);
  return code === 0 || code === 7 ? stdout : null;
}

/** The long way, as it is without any memory of the last time. */
async function askSlowly(dir: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await runCli(dir, [...args, '--repo=.']);
  expect([0, 7], stderr).toContain(code);
  return stdout;
}

/** Old enough that its time can be trusted, and always the same. */
function age(dir: string): void {
  const past = new Date('2020-02-02T20:20:20.5Z');
  if (existsSync(join(dir, 'features.json'))) utimesSync(join(dir, 'features.json'), past, past);
}

async function expectSameAnswers(dir: string, questions: readonly string[][]): Promise<void> {
  age(dir);
  for (const question of questions) {
    const slow = await askSlowly(dir, ...question);
    expect(await runQuickOnly(dir, ...question), question.join(' ')).toBe(slow);
  }
}

interface Situation {
  readonly name: string;
  readonly make: () => Promise<string>;
}

const SITUATIONS: readonly Situation[] = [
  { name: 'before any run', make: async () => makeProject() },
  {
    name: 'after a landing',
    make: async () => {
      const dir = makeProject();
      await runCli(dir, ['run']);
      return dir;
    },
  },
  {
    name: 'after a task has failed for good',
    make: async () => {
      const dir = makeProject();
      await runCli(dir, ['run', '--all']);
      return dir;
    },
  },
  {
    name: 'with landed work beside a dirty checkout',
    make: async () => {
      const dir = makeProject();
      write(dir, { 'test/all.sh': 'exit 0 # mine\n' });
      await runCli(dir, ['run']);
      return dir;
    },
  },
  {
    name: 'with refs packed',
    make: async () => {
      const dir = makeProject();
      git(dir, 'pack-refs', '--all');
      return dir;
    },
  },
  {
    name: 'with HEAD detached and a base branch configured',
    make: async () => {
      const dir = makeProject({ '.harness.yaml': `${CONFIG}git: { base_branch: main }\n` });
      git(dir, 'checkout', '-q', '--detach');
      return dir;
    },
  },
  {
    name: 'in a linked worktree',
    make: async () => {
      const dir = makeProject();
      git(dir, 'worktree', 'add', '-q', '-b', 'side', '../linked');
      return join(dirname(dir), 'linked');
    },
  },
  {
    name: 'with a state directory of another name',
    make: async () => makeProject({ '.harness.yaml': `${CONFIG}paths: { state_dir: .records }\n` }),
  },
  {
    name: 'with more tasks than are listed',
    make: async () => {
      const many = Array.from({ length: 45 }, (_, i) => ({
        ...FEATURES[0],
        id: i + 1,
        description: `T${i}`,
        passes: i < 30,
      }));
      return makeProject({ 'features.json': getBacklog(many) });
    },
  },
];

describe.concurrent('the quick answer is the long answer', () => {
  it.each(SITUATIONS)('$name', async ({ make }) => {
    await expectSameAnswers(await make(), [
      ['status', '--json'],
      ['next', '--json'],
    ]);
  });

  it('in words as in JSON', async () => {
    await expectSameAnswers(makeProject(), [['status'], ['status', '--all'], ['next']]);
  });
});

interface Change {
  readonly name: string;
  readonly change: (dir: string) => void;
}

const CHANGES: readonly Change[] = [
  { name: 'a commit', change: dir => commit(dir, { 'features.json': getBacklog(FEATURES.slice(0, 1)) }) },
  { name: 'a commit that is taken back', change: dir => git(dir, 'commit', '-q', '--amend', '-m', 'Other') },
  { name: 'an edit of the backlog', change: dir => appendFileSync(join(dir, 'features.json'), '\n') },
  { name: 'the backlog gone', change: dir => rmSync(join(dir, 'features.json')) },
  { name: 'an edit of the config', change: dir => appendFileSync(join(dir, '.harness.yaml'), '# x\n') },
  { name: 'a second config', change: dir => writeFileSync(join(dir, 'harness.config.json'), '{}') },
  { name: 'another branch', change: dir => git(dir, 'switch', '-q', '-c', 'other') },
  { name: 'a branch for what lands', change: dir => git(dir, 'branch', 'harness/landed') },
  { name: 'a branch in the way', change: dir => git(dir, 'branch', 'harness') },
  { name: 'the store gone', change: dir => rmSync(join(dir, '.harness'), { recursive: true }) },
];

describe.concurrent('the quick way leaves the answer to the long way after', () => {
  it.each(CHANGES)('$name', async ({ change }) => {
    const dir = makeProject();
    age(dir);
    await askSlowly(dir, 'status');
    expect(await runQuickOnly(dir, 'status')).not.toBeNull();
    change(dir);
    expect(await runQuickOnly(dir, 'next')).toBeNull();
  });

  it('a config that depends on the environment', async () => {
    const dir = makeProject({ '.harness.yaml': `${CONFIG}git: { base_branch: "\${BRANCH:-main}" }\n` });
    age(dir);
    await askSlowly(dir, 'status');
    expect(await runQuickOnly(dir, 'status')).toBeNull();
  });

  it('another checkout has taken in a backlog that the branch no longer has', async () => {
    const dir = makeProject({ '.harness.yaml': `${CONFIG}git: { base_branch: main }\n` });
    const linked = join(dirname(dir), 'linked');
    git(dir, 'worktree', 'add', '-q', '--detach', linked);
    age(dir);
    await askSlowly(dir, 'status');
    expect(await runQuickOnly(dir, 'status')).not.toBeNull();
    const before = git(dir, 'rev-parse', 'main');
    commit(dir, { 'features.json': getBacklog(FEATURES.slice(0, 1)) });
    expect(await runJson(linked, ['status'])).toMatchObject({ total: 1 });
    git(dir, 'reset', '-q', '--hard', before);
    age(dir);
    expect(await runQuickOnly(dir, 'status')).toBeNull();
    expect(await runJson(dir, ['status'])).toMatchObject({ total: 3 });
  });
});

it('a run leaves a record, so that the question after it is answered quickly', async () => {
  const dir = makeProject({ 'features.json': getBacklog() });
  write(dir, { 'agent.yaml': 'tasks: { "*": [{ give_up: no }] }\n' });
  age(dir);
  await runCli(dir, ['run']);
  expect(JSON.parse((await runQuickOnly(dir, 'next', '--json')) ?? 'null')).toMatchObject({
    next: { id: '1', attempt: 2 },
  });
});
