import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commit, type Feature, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';
import { killRuns, startRun } from '../support/start-run.ts';

afterEach(killRuns);

const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  ...more,
});

interface Inbox {
  readonly questions: readonly { id: string; kind: string; task: string | null; what: string }[];
  readonly next: string;
}

const getInbox = (dir: string) => runJson<Inbox>(dir, ['inbox']);

describe('an agent that needs something', () => {
  it('waits for the answer while others go on, and goes on with its work once it is there', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature(1), feature(2), feature(3, { depends_on: [1] })]),
      'agent.yaml': `tasks:
  "1":
    attempts:
      - [{ edit: { file: src/half.txt, content: half } }, { ask: { question: The port?, why: Nothing says it, steps: [look it up], check: it answers } }]
      - [{ run: test -f src/half.txt }, { edit: { file: src/1.txt, content: "1" } }, { claim: done }]
  "2": [{ edit: { file: src/2.txt, content: "2" } }, { claim: done }]
  "3": [{ edit: { file: src/3.txt, content: "3" } }, { claim: done }]
`,
    });
    const first = await runCli(dir, ['run', '--all']);
    expect([first.code, first.stdout]).toEqual([7, expect.stringContaining('next: harness inbox')]);
    const { questions } = await getInbox(dir);
    expect(questions).toMatchObject([
      { id: 'agent-1-1', task: '1', what: 'The port?', steps: ['look it up'] },
    ]);
    expect((await runCli(dir, ['inbox'])).stdout).toMatch(
      /I need: +The port\?[\s\S]*Because: +Nothing says it/,
    );
    expect((await runCli(dir, ['status'])).stdout).toMatch(/Questions: +1 [\s\S]*next: harness inbox/);
    expect((await runCli(dir, ['answer', 'agent-1-1', 'answer'])).code).toBe(2);
    expect((await runCli(dir, ['answer', 'agent-1-1', 'maybe', '--text', 'x'])).code).toBe(2);
    const said = await runJson(dir, ['answer', '1', '--text', 'It is 8080', '--by', 'Ada']);
    expect(said).toMatchObject({ id: 'agent-1-1', option: 'answer', recorded: true });
    expect((await runCli(dir, ['answer', '1', '--text', 'again'])).code).toBe(2);
    expect(await getInbox(dir)).toMatchObject({ questions: [] });
    const prompt = (await runCli(dir, ['run', '--dry-run'])).stdout;
    expect(prompt).toMatch(/The port\?\n.*Ada answered: It is 8080/);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });
});

describe('an answer beside a run under way', () => {
  it('is taken up by that run, before it ends', async () => {
    const { dir, go, ended } = await startRun(`tasks:
  "1": { attempts: [[{ ask: { question: The port? } }], [{ edit: { file: src/1.txt, content: "1" } }, { claim: done }]] }
  "2": [{ run: "while [ ! -e GO ]; do sleep 0.05; done" }, { delete: GO }, { edit: { file: src/2.txt, content: "2" } }, { claim: done }]
`);
    const isAtTwo = async () =>
      (await runJson<{ active: { task: string; stage: string }[] }>(dir, ['status'])).active.some(
        ({ task, stage }) => task === '2' && stage === 'in-session',
      );
    while (!(await isAtTwo())) await new Promise(resolve => setTimeout(resolve, 50));
    expect(await runJson(dir, ['answer', '1', '--text', '8080'])).toMatchObject({ recorded: true });
    go();
    expect(await ended).toMatchObject({ code: 0 });
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 2 } });
  });
});

describe('a task that a person takes over', () => {
  it('comes with its work on a branch, and lands by the same proof or not at all', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature(1)]),
      'claude-progress.txt': '# Progress\n',
      'agent.yaml': 'tasks: { "1": [{ edit: { file: src/half.txt, content: half } }, { crash: oops }] }',
    });
    await runCli(dir, ['run']);
    const before = git(dir, 'status', '--porcelain', '--branch');
    const branch = 'harness/handoff/1';
    expect(await runJson(dir, ['handoff', '1', '--by', 'Ada'])).toMatchObject({ task: '1', branch });
    expect(await runJson(dir, ['handoff', '1', '--by', 'Ada'])).toMatchObject({ task: '1', branch });
    expect(git(dir, 'show', `${branch}:src/half.txt`)).toBe('half');
    expect(git(dir, 'status', '--porcelain', '--branch')).toBe(before);
    const idle = await runCli(dir, ['run', '--all']);
    expect([idle.code, idle.stdout]).toEqual([
      7,
      expect.stringMatching(/no task is ready\nnext: harness takeback 1/),
    ]);
    expect((await runCli(dir, ['next'])).stdout).not.toContain('harness inbox');

    const hand = join(dirname(dir), 'hand');
    git(dir, 'worktree', 'add', '-q', hand, branch);
    commit(hand, { 'src/other.txt': 'not it' });
    expect((await runCli(dir, ['takeback', '--by', 'Ada'])).code).toBe(7);
    expect(await getInbox(dir)).toMatchObject({
      questions: [{ kind: 'rejected', what: 'The work of Ada on task 1 was rejected.' }],
    });
    expect(await runJson(dir, ['answer', '1', 'manual', '--by', 'Ada'])).toMatchObject({ task: '1', branch });
    commit(hand, { 'src/1.txt': 'by hand' });
    expect((await runCli(dir, ['takeback', '1', '--by', 'Ada'])).code).toBe(0);
    const message = git(dir, 'log', '-1', '--format=%B');
    expect(message).toMatch(/Harness-Proof: \w+[\s\S]*Harness-Work-By: Ada/);
    expect(git(dir, 'show', 'HEAD:src/1.txt')).toBe('by hand');
    expect(git(dir, 'show', 'HEAD:claude-progress.txt')).toContain('done by hand by Ada');
    expect((await runCli(dir, ['verify', '1'])).code).toBe(0);
    expect((await runCli(dir, ['takeback', '1'])).code).toBe(2);
    expect(await getInbox(dir)).toMatchObject({ questions: [] });
  });
});

describe('what a person submitted and what landed meanwhile', () => {
  it('when they conflict, the task stays theirs, with the files and the way out', async () => {
    const dir = makeProject({ 'features.json': getBacklog([feature(1)]), 'src/both.txt': 'a\n' });
    await runCli(dir, ['handoff', '1', '--by', 'Ada']);
    const hand = join(dirname(dir), 'hand');
    git(dir, 'worktree', 'add', '-q', hand, 'harness/handoff/1');
    commit(hand, { 'src/1.txt': 'by hand', 'src/both.txt': 'hand\n' });
    commit(dir, { 'src/both.txt': 'meanwhile\n' });
    const tip = git(dir, 'rev-parse', 'HEAD').slice(0, 10);
    expect((await runCli(dir, ['takeback', '1', '--by', 'Ada'])).code).toBe(7);
    const { questions } = await getInbox(dir);
    expect(questions).toMatchObject([
      { kind: 'rejected', task: '1', why: expect.stringContaining('conflicts') },
    ]);
    const said = JSON.stringify(questions);
    for (const named of ['src/both.txt', `git rebase ${tip}`, 'harness takeback 1'])
      expect(said).toContain(named);
    expect(await runJson(dir, ['next'])).toMatchObject({ next: null });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    git(hand, 'rebase', '-q', '-X', 'theirs', tip);
    expect((await runCli(dir, ['takeback', '1', '--by', 'Ada'])).code).toBe(0);
    expect(git(dir, 'show', 'HEAD:src/both.txt')).toBe('hand');
  });
});

describe('harness abort', () => {
  it('ends the run at once, keeps what there is, and clears the records only when told so', async () => {
    const { dir, ended } = await startRun();
    const said = await runJson<{ ended: number[] }>(dir, ['abort', '--by', 'Ada']);
    expect(said.ended).toHaveLength(1);
    expect((await ended).code).not.toBe(0);
    expect(await runJson(dir, ['status'])).toMatchObject({ sessions: 1 });
    expect((await runCli(dir, ['abort'])).stdout).toContain('nothing is running');
    expect((await runCli(dir, ['abort', '--clear'])).code).toBe(2);
    const { backup } = await runJson<{ backup: string }>(dir, ['abort', '--clear', '--yes']);
    expect(existsSync(backup)).toBe(true);
    expect(await runJson(dir, ['status'])).toMatchObject({ sessions: 0, total: 2 });
    expect(await runJson(dir, ['cleanup', '--later'])).toMatchObject({ recorded: true });
    expect(await runJson(dir, ['cleanup', '--later'])).toMatchObject({ recorded: false });
  });
});
