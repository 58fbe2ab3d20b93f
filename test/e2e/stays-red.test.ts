import { describe, expect, it } from 'vitest';
import { CONFIG, commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const feature = (id: number, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  ...more,
});
const work = (id: number) => `[{ edit: { file: src/${id}.txt, content: "${id}" } }, { claim: done }]`;
const AGENT = `tasks:\n  "1": ${work(1)}\n  "2": ${work(2)}\n`;
const TWO = { 'features.json': getBacklog([feature(1), feature(2)]), 'agent.yaml': AGENT };

interface Inbox {
  readonly questions: readonly { id: string; kind: string; options: readonly { key: string }[] }[];
}
const getOpen = async (dir: string) => (await runJson<Inbox>(dir, ['inbox'])).questions;
const getSessions = async (dir: string) => (await runJson<{ sessions: number }>(dir, ['status'])).sessions;
const getStarted = async (dir: string) =>
  (await runCli(dir, ['log', '--type', 'session.started', '--json'])).stdout.trim().split('\n').length;

describe.concurrent('a test of no task that turns red on the base', () => {
  async function breakBase(): Promise<string> {
    const dir = makeProject(TWO);
    expect((await runCli(dir, ['run'])).code).toBe(0);
    commit(dir, { 'test/all.sh': 'test ! -f src/1.txt\n' });
    return dir;
  }

  it('stops the run before an agent is paid, again and again, until it is green', async () => {
    const dir = await breakBase();
    for (const args of [['run'], ['run', '--all'], ['run', '--task', '2']]) {
      const { code, stdout } = await runCli(dir, args);
      expect([code, stdout]).toEqual([7, expect.stringContaining('no agent was started')]);
    }
    expect(await getStarted(dir)).toBe(1);
    const [question] = await getOpen(dir);
    expect(question?.options.map(({ key }) => key)).toEqual([
      ...['retry', 'rollback', 'investigate', 'manual', 'proceed', 'abort'],
    ]);
    await runCli(dir, ['answer', question?.id ?? '', 'manual', '--by', 'Ada']);
    expect((await runCli(dir, ['run'])).code).toBe(7);
    expect(await getStarted(dir)).toBe(1);
    git(dir, 'revert', '--no-edit', 'HEAD');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect(await getOpen(dir)).toEqual([]);
    expect((await runJson<{ counts: { landed: number } }>(dir, ['status'])).counts.landed).toBe(2);
  });

  it('is lived with where a person says so, also after the next landing and at the end', async () => {
    const dir = await breakBase();
    await runCli(dir, ['run']);
    await runCli(dir, ['answer', (await getOpen(dir))[0]?.id ?? '', 'proceed', '--by', 'Ada']);
    const { code, stdout } = await runCli(dir, ['run', '--all']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('everything is landed')]);
    expect(await getOpen(dir)).toEqual([]);
  });

  it('is put right by an agent where a person says so, before anything else', async () => {
    const dir = await breakBase();
    commit(dir, { 'test/all.sh': 'test -f src/fixed.txt\n' });
    await runCli(dir, ['run']);
    commit(dir, {
      'agent.yaml': `${AGENT}  "loop-1": [{ edit: { file: src/fixed.txt, content: x } }, { say: TASK_COMPLETE }, { claim: TASK_COMPLETE }]\n`,
    });
    await runCli(dir, ['run']);
    await runCli(dir, ['answer', (await getOpen(dir))[0]?.id ?? '', 'retry', '--by', 'Ada']);
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: 'loop-1' } });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect(git(dir, 'log', '-2', '--format=%s')).toBe(
      'Thing 2 exists\nMake what a change to the base broke pass again: sh test/all.sh',
    );
  });

  it('is no reason to stop where it gives both answers', async () => {
    const dir = makeProject({ ...TWO, '.harness.yaml': `${CONFIG}sandbox: { mode: "off" }\n` });
    await runCli(dir, ['run']);
    commit(dir, { 'test/all.sh': `test -f "${dir}/../once" || { touch "${dir}/../once"; exit 1; }\n` });
    expect((await runCli(dir, ['run'])).code).toBe(0);
  });
});

describe.concurrent('everything is landed, and red', () => {
  it('asks and does not end with 0, although the suite was red all along', async () => {
    const dir = makeProject({ ...TWO, 'test/all.sh': 'exit 1\n' });
    const { code, stdout } = await runCli(dir, ['run', '--all']);
    expect([code, stdout]).toEqual([7, expect.stringContaining('everything is landed, but tests fail')]);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const [question] = await getOpen(dir);
    expect(question?.kind).toBe('all-done-red');
    expect(question?.options.map(({ key }) => key)).toEqual(['retry', 'investigate', 'proceed', 'abort']);
    await runCli(dir, ['answer', question?.id ?? '', 'investigate', '--by', 'Ada']);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(5);
    commit(dir, { 'test/all.sh': 'exit 0\n' });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });

  it('names a task that was marked by hand and whose own test fails, and counts no proof for it', async () => {
    const marked = getBacklog([feature(1, { passes: true }), feature(2)]);
    const dir = makeProject({ ...TWO, 'features.json': marked });
    const { code, stdout } = await runCli(dir, ['run', '--all']);
    expect(code).toBe(7);
    expect(stdout).not.toContain('proofs:');
    const status = (await runCli(dir, ['status'])).stdout;
    expect(status).toMatch(/1: Thing 1 exists — UNPROVEN: marked as done.*test\/thing-1\.sh FAILS/);
    expect((await runCli(dir, ['report'])).stdout).toMatch(
      /never proven here; its own test\/thing-1\.sh fails/,
    );
    const [question] = await getOpen(dir);
    await runCli(dir, ['answer', question?.id ?? '', 'reset', '--by', 'Ada']);
    const last = await runCli(dir, ['run', '--all']);
    expect(last.stdout).not.toContain('tests fail at the tip');
    expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('proofs: 2 landed commits match')]);
  });

  it('counts only real proofs where a person vouched for a task', async () => {
    const dir = makeProject({ ...TWO, 'test/thing-1.sh': 'test -f agent.yaml\n' });
    await runCli(dir, ['override', '1', '--reason', 'seen', '--by', 'Ada']);
    const { code, stdout } = await runCli(dir, ['run', '--all']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('proofs: 1 landed commit matches its own; 1 task without a proof'),
    ]);
    expect(await getSessions(dir)).toBeGreaterThan(0);
  });
});

it('what turned red while everything was a person’s is asked about before an agent is paid', async () => {
  const dir = makeProject({ ...TWO, 'test/all.sh': 'test ! -f src/broken.txt\n' });
  await runCli(dir, ['handoff', '--by', 'Ada']);
  commit(dir, { 'src/broken.txt': 'x' });
  const taken = await runCli(dir, ['takeback', '--by', 'Ada']);
  expect(taken.stdout).toMatch(/baseline: 0 tests pass, 1 fail\nred since the handoff: sh test\/all\.sh/);
  const { code, stdout } = await runCli(dir, ['run', '--all']);
  expect([code, stdout]).toEqual([7, expect.stringContaining('no agent was started')]);
  expect((await getOpen(dir)).map(({ kind }) => kind)).toEqual(['regression']);
  git(dir, 'rm', '-q', 'src/broken.txt');
  git(dir, 'commit', '-q', '-m', 'Mend');
  expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
});
