import { describe, expect, it } from 'vitest';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const LOOK = { verification_type: 'hybrid', manual_checks: ['it looks right'] };
const FEATURES = [
  { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false, ...LOOK },
  { id: 2, description: 'Thing 2 exists', test_file: 'test/thing-2.sh', passes: false },
];
/** The second time round, an agent at task 1 would only lie. */
const AGENT = `tasks:
  "1": { attempts: [[{ edit: { file: src/1.txt, content: "1" } }, { claim: done }], [{ lie: done }]] }
  "2": [{ edit: { file: src/2.txt, content: "2" } }, { claim: done }]
`;

function makeAsking(files: Readonly<Record<string, string>> = {}): string {
  return makeProject({ 'features.json': getBacklog(FEATURES), 'agent.yaml': AGENT, ...files });
}

describe('a task that a person has to look at', () => {
  it('waits with a question, and lands after a yes on top of what landed meanwhile', async () => {
    const dir = makeAsking();
    const night = await runCli(dir, ['run', '--all']);
    expect(night.code, night.stderr).toBe(7);
    const question = await runCli(dir, ['manual-verify', '1']);
    expect([question.code, question.stdout]).toEqual([7, expect.stringContaining('look at: it looks right')]);
    const said = await runJson(dir, ['manual-verify', '1', '--pass', '--by', 'Ada']);
    expect(said).toMatchObject({ recorded: true, passed: true, by: 'Ada', next: 'harness run --task 1' });
    expect(await runJson(dir, ['manual-verify', '1', '--pass'])).toMatchObject({ recorded: false });
    const morning = await runCli(dir, ['run']);
    expect([morning.code, morning.stderr]).toEqual([0, expect.stringContaining('task 1 landed')]);
    expect(git(dir, 'show', 'HEAD:src/1.txt', 'HEAD:src/2.txt')).toBe('12');
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 2 }, unproven: 0 });
    expect(await runJson(dir, ['health'])).toMatchObject({
      tasks: { landed: 2, total: 2 },
      files: { oversized: 0, total: 8 },
      growth: [{ task: '2' }, { task: '1' }],
      tasksUntilCleanup: 8,
    });
    expect((await runCli(dir, ['health'])).stdout).toContain('GOOD, 100 of 100');
    expect((await runJson(dir, ['manual-verify', '1', '--pass'])).recorded).toBe(false);
  });

  it('goes back to an agent after a no', async () => {
    const dir = makeAsking();
    await runCli(dir, ['run', '--task', '1']);
    expect((await runCli(dir, ['manual-verify', '1', '--fail'])).code).toBe(2);
    await runCli(dir, ['manual-verify', '1', '--fail', '--note', 'it is cut off']);
    const next = await runCli(dir, ['run', '--dry-run']);
    expect(next.stdout).toContain('it is cut off');
  });

  it('is not there where nobody was asked', async () => {
    const dir = makeAsking();
    await runCli(dir, ['run', '--task', '2']);
    expect((await runCli(dir, ['manual-verify', '2', '--pass'])).code).toBe(2);
    expect((await runCli(dir, ['manual-verify', '1', '--pass'])).code).toBe(2);
  });
});

describe('a task whose proof a person does without', () => {
  it('is marked, and shown as unproven wherever it is shown', async () => {
    const dir = makeAsking({ 'agent.yaml': 'tasks: { "*": [{ give_up: no }] }\n' });
    expect((await runCli(dir, ['override', '2'])).code).toBe(2);
    const said = await runCli(dir, ['override', '2', '--reason', 'done by hand', '--by', 'Ada']);
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('nothing proves task 2')]);
    expect(await runJson(dir, ['override', '2', '--reason', 'done by hand'])).toMatchObject({
      recorded: false,
    });
    const run = await runCli(dir, ['run', '--task', '2']);
    expect([run.code, run.stdout], run.stderr).toEqual([0, expect.stringContaining('1 landed')]);
    expect(JSON.parse(git(dir, 'show', 'HEAD:features.json')).features[1].passes).toBe(true);
    expect(git(dir, 'log', '-1', '--format=%(trailers)')).toContain('Harness-Unproven: Ada: done by hand');
    expect((await runCli(dir, ['status'])).stdout).toContain('UNPROVEN by the word of Ada: done by hand');
    expect(await runJson(dir, ['status'])).toMatchObject({ unproven: 1 });
    expect((await runCli(dir, ['log', '--level', 'critical'])).stdout).toContain('unproven');
    expect(await runJson(dir, ['override', '2', '--reason', 'again'])).toMatchObject({
      recorded: false,
      landed: true,
      unproven: true,
    });
    commit(dir, { 'features.json': getBacklog(FEATURES) }, 'Take it back');
    expect(await runJson(dir, ['status'])).toMatchObject({ unproven: 0, counts: { landed: 0 } });
  });

  it('lands its kept work where that is asked for', async () => {
    const dir = makeAsking();
    await runCli(dir, ['run', '--task', '1']);
    expect((await runCli(dir, ['override', '2', '--reason', 'x', '--with-work'])).code).toBe(2);
    await runCli(dir, ['override', '1', '--reason', 'in a hurry', '--with-work']);
    await runCli(dir, ['run']);
    expect(git(dir, 'show', 'HEAD:src/1.txt')).toBe('1');
    expect(await runJson(dir, ['status'])).toMatchObject({ unproven: 1 });
  });
});
