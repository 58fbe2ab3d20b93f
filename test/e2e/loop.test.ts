import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';
import { runUntilKilled } from '../support/killed-run.ts';

interface LoopEnd {
  readonly run: string;
  readonly landed: boolean;
  readonly iterations: number;
  readonly stopped: string;
  readonly attempts: readonly { readonly outcome: string; readonly reason: string }[];
}

/** Says nothing, stops without the promise, promises what is not so, and keeps its promise at last. */
const AGENT = `tasks:
  "loop-1":
    attempts:
    - [{ edit: { file: src/a.txt, content: "a\\n" } }]
    - [{ edit: { file: src/b.txt, content: "b\\n" } }, { claim: "done, I think" }]
    - [{ edit: { file: src/c.txt, content: "c\\n" } }, { claim: "it is so\\nALL DONE" }]
    - [{ edit: { file: src/d.txt, content: "d\\n" } }, { claim: "now it is\\nALL DONE" }]
`;
const CHECK = 'test -f src/a.txt && test -f src/b.txt && test -f src/d.txt';

it('an objective survives a kill: the same run goes on with what was there', async () => {
  const dir = makeProject({
    'agent.yaml':
      'tasks: { "loop-1": { attempts: [[{ edit: { file: src/a.txt, content: "a" } }, { run: "sleep 60" }], [{ claim: ALL DONE }]] } }\n',
  });
  const args = ['loop', 'A file exists', '--check', 'test -f src/a.txt', '--completion-promise', 'ALL DONE'];
  expect(await runUntilKilled(dir, 'loop-1', 'src/a.txt', args)).toBe('SIGKILL');
  const end = await runJson<LoopEnd>(dir, ['loop', '--resume', 'loop-1']);
  expect(end).toMatchObject({ run: 'loop-1', landed: true, iterations: 1 });
  expect(git(dir, 'ls-tree', '-r', '--name-only', 'HEAD')).toContain('src/a.txt');
});

describe('an objective', () => {
  let dir = '';
  let backlog = '';
  let first: LoopEnd;
  let second: LoopEnd;
  beforeAll(async () => {
    dir = makeProject({ 'agent.yaml': AGENT, '.harness.yaml': CONFIG });
    backlog = git(dir, 'show', 'HEAD:features.json');
    const args = ['loop', 'Three files exist', '--check', CHECK, '--completion-promise', 'ALL DONE'];
    first = await runJson<LoopEnd>(dir, [...args, '--max-iterations', '3']);
    second = await runJson<LoopEnd>(dir, ['loop', '--resume', 'loop-1', '--max-iterations', '5']);
  });

  it('is gone after until its iterations are used up; a turn without a word is one', () => {
    expect(first).toMatchObject({ run: 'loop-1', landed: false, iterations: 3, stopped: 'nothing-ready' });
    expect(first.attempts.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('nothing was promised'),
      expect.stringContaining('do not promise "ALL DONE"'),
      expect.stringContaining('fail-to-pass'),
    ]);
  });

  it('is gone on with in another run, with the files that are there, and lands once it is proven', () => {
    expect(second).toMatchObject({ run: 'loop-1', landed: true, iterations: 4 });
    expect(git(dir, 'ls-tree', '-r', '--name-only', 'HEAD')).toContain('src/c.txt\nsrc/d.txt');
    expect(git(dir, 'log', '-1', '--format=%B')).toContain('Harness-Task: loop-1');
  });

  it('leaves the backlog alone, and its proof can be made again', async () => {
    expect(git(dir, 'show', 'HEAD:features.json')).toBe(backlog);
    expect((await runCli(dir, ['proof', 'loop-1'])).stdout).toContain('proven');
    expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
    expect(await runJson(dir, ['verify', 'loop-1'])).toMatchObject({ proof: { result: 'same' } });
  });

  it('begins with a word about a check that the agent could change', async () => {
    const args = ['loop', 'More', '--check', 'sh agent.yaml', '--max-iterations', '1'];
    const { code, stderr } = await runCli(dir, args);
    expect([code, stderr]).toEqual([7, expect.stringContaining('the agent may change agent.yaml')]);
  });

  it.each<[string, string[], string]>([
    ['without words', ['loop'], 'missing <objective>'],
    ['without a check', ['loop', 'Something'], '--check'],
    ['of an unknown run', ['loop', '--resume', 'loop-7'], 'loop-1'],
  ])('%s is refused with what to do', async (_, args, said) => {
    const { code, stderr } = await runCli(dir, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
  });
});
