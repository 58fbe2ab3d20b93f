import { beforeAll, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../src/core/model/facts.ts';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';
import { runUntilKilled } from '../support/killed-run.ts';

const IDS = [1, 2, 3, 4, 5];
const STEP = '{"type":"checkpoint","step":1,"total":2,"description":"began"}';
const REACHED = '{ run: "touch .git/reached; sleep 60" }';
const COMMIT = '{ run: "git add -A && git commit -qm work" }';

function edit(id: number, text = id === 5 ? 'whole' : 'x'): string {
  return `{ edit: { file: src/${id}.txt, content: "${text}" } }`;
}

/** What the first session of each task leaves when it is killed, and what a second one would do. */
const SCRIPT = `tasks:
  "1": { attempts: [[${REACHED}], [${edit(1)}, { claim: done }]] }
  "2": { attempts: [[{ run: 'mkdir -p .git/harness-tools && echo ''${STEP}'' > .git/harness-tools/entries.jsonl' }, ${REACHED}], [${edit(2)}, { claim: done }]] }
  "3": { attempts: [[${edit(3)}, ${COMMIT}, ${REACHED}], [{ crash: "a second session" }]] }
  "4": { attempts: [[${edit(4)}, ${REACHED}], [{ crash: "a second session" }]] }
  "5": { attempts: [[${edit(5, 'half')}, ${COMMIT}, { edit: { file: src/more.txt, content: "more" } }, ${REACHED}], [${edit(5)}, { claim: done }]] }
`;

interface Told {
  readonly type: string;
  readonly task?: string;
  readonly [more: string]: unknown;
}

describe('what a session leaves when the harness is killed', () => {
  let dir = '';
  let told: Told[] = [];
  let dryRun = { stdout: '', code: -1 };
  let before = '';
  let atRest: object = {};

  beforeAll(async () => {
    const features = IDS.map(id => ({
      id,
      description: `Thing ${id} exists`,
      test_file: `test/thing-${id}.sh`,
      passes: false,
    }));
    const tests = IDS.map(id => [
      `test/thing-${id}.sh`,
      id === 5 ? 'grep -q whole src/5.txt\n' : `test -f src/${id}.txt\n`,
    ]);
    dir = makeProject({
      ...Object.fromEntries(tests),
      'agent.yaml': SCRIPT,
      'features.json': getBacklog(features),
    });
    for (const id of IDS) await runUntilKilled(dir, String(id), '.git/reached');
    dryRun = await runCli(dir, ['recover', '--dry-run']);
    before = git(dir, 'rev-parse', 'HEAD');
    await runCli(dir, ['recover', '--json']);
    atRest = await runJson(dir, ['status']);
    await runCli(dir, ['run', '--all']);
    const { stdout } = await runCli(dir, ['log', '--limit', '1000', '--json']);
    told = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Told);
  }, 120_000);

  const of = (task: string, type: string): Told[] =>
    told.filter(event => event.task === task && event.type === type);

  it.each([
    ['1', 'nothing at all', false, 0],
    ['2', 'steps without a trace', false, 1],
    ['3', 'work that it committed', true, 0],
    ['4', 'work that it did not commit', true, 0],
    ['5', 'both', true, 0],
  ] as const)('task %s: %s is seen for what it is', (task, _, changed, steps) => {
    expect(of(task, 'candidate.taken')[0]).toMatchObject({ left: { changed, steps } });
  });

  it('recover says beforehand what it will do and why, and then does only that', () => {
    expect(dryRun.code).toBe(0);
    expect(dryRun.stdout).toMatch(
      /^task 5, attempt 1, left at in-session: worker \S+ is dead\n {2}→ judge: /,
    );
    expect(dryRun.stdout).toContain('No changes made.');
    expect(before).toBe(git(dir, 'rev-parse', 'HEAD~1'));
    expect(atRest).toMatchObject({ active: [] });
    expect(of('5', 'session.started')).toHaveLength(2);
  });

  it.each(['1', '2'])('task %s is tried again from its start, without counting as an attempt', async task => {
    expect(of(task, 'verdict.given')).toHaveLength(1);
    expect(of(task, 'attempt.ended')).toMatchObject([{ outcome: 'partial', category: 'SESSION_TIMEOUT' }]);
    expect(of(task, 'task.landed')).toHaveLength(1);
  });

  it.each(['3', '4'])('task %s lands without another session when what was left proves to be whole', task => {
    expect(of(task, 'session.started')).toHaveLength(1);
    expect(of(task, 'task.landed')).toMatchObject([{ attempt: 1 }]);
  });

  it('work that is not whole goes on, with what was missing, and is nowhere marked as done', async () => {
    expect(of('5', 'attempt.ended')).toMatchObject([{ outcome: 'partial', category: 'SESSION_TIMEOUT' }]);
    expect(of('5', 'attempt.started')[1]).toMatchObject({ wip: expect.any(String) });
    const [first, second] = of('5', 'attempt.prepared').map(({ checkpoint }) => checkpoint as Checkpoint);
    expect(second?.backlogHash).toBe(first?.backlogHash);
    expect(second?.commit).not.toBe(first?.commit);
    expect(of('5', 'task.landed')).toMatchObject([{ attempt: 2 }]);
  });
});

it('a backlog that nobody can read is named with its last good version, and left as it is', async () => {
  const dir = makeProject();
  const good = git(dir, 'rev-parse', 'HEAD').slice(0, 10);
  commit(dir, { 'features.json': '{ "features": [' });
  const { code, stderr } = await runCli(dir, ['recover']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`git show ${good}:features.json`)]);
  expect(git(dir, 'status', '--porcelain', '--untracked-files=no')).toBe('');
});

it('a dry run moves no branch, also when the base and harness/landed have parted', async () => {
  const dir = makeProject();
  write(dir, { 'features.json': `${getBacklog()} ` });
  await runCli(dir, ['run']);
  git(dir, 'checkout', '-q', '--', 'features.json');
  commit(dir, { 'more.txt': 'more' });
  const before = git(dir, 'for-each-ref');
  expect(before).toContain('refs/heads/harness/landed');
  const { stdout } = await runCli(dir, ['recover', '--dry-run']);
  expect(stdout).toContain('No changes made.');
  expect(git(dir, 'for-each-ref')).toBe(before);
});
