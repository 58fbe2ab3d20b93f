import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';

/** Task 1 is proven by what is given, and task 2 by its own file; both want a file of their number in src. */
const features = (first: Readonly<Record<string, unknown>>) =>
  getBacklog([
    { id: 1, description: 'Thing 1', ...first },
    { id: 2, description: 'Thing 2', validation: { command: 'test -f src/2.txt' }, depends_on: [1] },
  ]);
const VALIDATED = { validation: { command: 'test -f src/1.txt' } };

const one = '"1": [{ edit: { file: src/1.txt, content: "1" } }, { claim: done }]';
const agent = (second: string) => `tasks:\n  ${one}\n  "2": [${second}]\n`;
const HONEST = '{ edit: { file: src/2.txt, content: "2" } }, { claim: done }';
const BREAKS = '{ run: "rm -f src/1.txt" }, { edit: { file: src/2.txt, content: "2" } }, { claim: done }';

interface End {
  readonly stopped: string;
  readonly attempts: readonly { readonly task: string; readonly outcome: string; readonly reason: string }[];
}

describe.concurrent('what proved a landed task', () => {
  it.each([
    ['a validation', VALIDATED],
    ['a test outside of the suite', { test_file: 'test/thing-1.sh' }],
  ])('rejects a later task that breaks it: %s', async (_, first) => {
    const dir = makeProject({ 'features.json': features(first), 'agent.yaml': agent(BREAKS) });
    const end = await runJson<End>(dir, ['run', '--max-sessions', '2']);
    expect(end.attempts).toMatchObject([
      { task: '1', outcome: 'landed' },
      {
        task: '2',
        outcome: 'rejected',
        reason: expect.stringContaining('pass-to-pass: one proof of landed'),
      },
    ]);
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'HEAD')).toContain('src/1.txt');
    expect((await runCli(dir, ['log', '--task', '2'])).stdout).toMatch(/which proved task 1, passed before/);
  });

  it('rejects a later task that breaks what was held out, and does not tell its agent what', async () => {
    const both = one.replace('{ claim', '{ edit: { file: src/extra.txt, content: x } }, { claim');
    const script = agent(BREAKS.replace('src/1.txt', 'src/extra.txt')).replace(one, both);
    const dir = makeProject({ 'features.json': features(VALIDATED), 'agent.yaml': script });
    write(dir, { '.harness/held-out/1/test/secret.sh': 'test -f src/extra.txt\n' });
    const end = await runJson<End>(dir, ['run', '--max-sessions', '2']);
    expect(end.attempts).toMatchObject([
      { task: '1', outcome: 'landed' },
      { task: '2', outcome: 'rejected', reason: expect.stringContaining('that no agent has seen fails') },
    ]);
    expect(JSON.stringify(end)).not.toMatch(/secret|extra/);
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'HEAD')).toContain('src/extra.txt');
  });

  it('lets honest work land, and holds at the end', async () => {
    const dir = makeProject({ 'features.json': features(VALIDATED), 'agent.yaml': agent(HONEST) });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect((await runCli(dir, ['verify', '1'])).code).toBe(0);
    expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
  });

  it('opens its task again when a person breaks it, wherever one asks', async () => {
    const dir = makeProject({ 'features.json': features(VALIDATED), 'agent.yaml': agent(HONEST) });
    await runCli(dir, ['run', '--all']);
    git(dir, 'rm', '-q', 'src/1.txt');
    git(dir, 'commit', '-q', '-m', 'Take it away');
    expect(await runJson(dir, ['verify', '1'])).toMatchObject({
      passed: false,
      verdict: expect.stringContaining('open again'),
    });
    const rerun = await runCli(dir, ['audit', '--rerun', '--json']);
    expect([rerun.code, JSON.parse(rerun.stdout)]).toEqual([
      5,
      expect.objectContaining({ reopened: [{ task: '1', reason: expect.stringContaining('src/1.txt') }] }),
    ]);
    write(dir, { 'agent.yaml': agent(HONEST).replace(one, '"1": [{ give_up: "no idea" }]') });
    const run = await runCli(dir, ['run']);
    expect([run.code, run.stdout]).toEqual([5, expect.stringContaining('task 1 is open again')]);
    expect((await runCli(dir, ['status'])).stdout).toMatch(/1: Thing 1 .*OPEN AGAIN/);
    const report = await runJson<{ proven: { task: string }[]; reopened: { task: string }[] }>(dir, [
      'report',
    ]);
    expect([report.proven.map(({ task }) => task), report.reopened.map(({ task }) => task)]).toEqual([
      ['2'],
      ['1'],
    ]);
    expect(await runJson(dir, ['audit'])).toMatchObject({ ok: false, reopened: [{ task: '1' }] });
    commit(dir, { 'src/1.txt': 'back', 'agent.yaml': agent(HONEST) });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect((await runCli(dir, ['audit'])).code).toBe(0);
  });
});

describe.concurrent('a check that is green before any work', () => {
  it('lands nothing, costs nothing and is put before a person', async () => {
    const script =
      'tasks: { "loop-1": [{ edit: { file: src/x.txt, content: x } }, { claim: TASK_COMPLETE }] }\n';
    const dir = makeProject({ 'agent.yaml': script });
    const before = git(dir, 'rev-parse', 'HEAD');
    const { code, stdout } = await runCli(dir, ['loop', 'Write the whole product', '--check', 'true']);
    expect([code, stdout]).toEqual([7, expect.stringContaining('`true` passes at')]);
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(before);
    const inbox = await runJson<{ questions: { id: string; kind: string }[] }>(dir, ['inbox']);
    expect(inbox.questions).toMatchObject([{ kind: 'satisfied' }]);
    const { stdout: asked } = await runCli(dir, ['inbox']);
    expect(asked).toContain('the base does it already: leave it out');
    expect((await runJson<{ sessions: number }>(dir, ['status'])).sessions).toBe(1);

    await runCli(dir, ['answer', inbox.questions[0]?.id ?? '', 'proceed', '--by', 'Ada']);
    expect((await runCli(dir, ['loop', '--resume', 'loop-1'])).code).toBe(7);
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(before);
    await runCli(dir, ['override', 'loop-1', '--reason', 'I read it', '--with-work', '--by', 'Ada']);
    await runCli(dir, ['run', '--task', 'loop-1']);
    expect(git(dir, 'log', '-1', '--format=%B')).toContain('Harness-Unproven');
    expect(git(dir, 'show', 'HEAD:src/x.txt')).toBe('x');
  });

  it('is accepted by a person’s word, as unproven', async () => {
    const satisfied = { validation: { command: 'test -f agent.yaml' } };
    const dir = makeProject({ 'features.json': features(satisfied), 'agent.yaml': agent(HONEST) });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    await runCli(dir, ['answer', '1', 'accept', '--by', 'Ada']);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    const { stdout } = await runCli(dir, ['status']);
    expect(stdout).toMatch(/UNPROVEN by the word of Ada: the base satisfies it already/);
  });
});

it('verify calls nothing proven that waits for a person', async () => {
  const first = { ...VALIDATED, verification_type: 'hybrid' };
  const dir = makeProject({ 'features.json': features(first), 'agent.yaml': agent(HONEST) });
  await runCli(dir, ['handoff', '1', '--by', 'Ada']);
  const hand = join(dirname(dir), 'hand');
  git(dir, 'worktree', 'add', '-q', hand, 'harness/handoff/1');
  commit(hand, { 'src/1.txt': 'by hand' });
  expect((await runCli(dir, ['takeback', '1', '--by', 'Ada'])).code).toBe(7);
  const { code, stdout } = await runCli(dir, ['verify', '1']);
  expect([code, stdout]).toEqual([5, expect.stringMatching(/Task 1: .*needs-human/)]);
  rmSync(join(dir, '.harness/proofs'), { recursive: true });
  expect(await runJson(dir, ['verify', '1'])).toMatchObject({
    passed: false,
    verdict: expect.stringMatching(/^not proven: .*nobody has answered: .*human/),
  });
});
