import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

interface RunEnd {
  readonly stopped: string;
  readonly attempts: readonly { readonly task: string; readonly outcome: string; readonly reason: string }[];
  readonly audit?: { readonly ok: boolean; readonly landings: number };
}

const AGENT = `tasks:
${[1, 2, 3, 4].map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: "${id}\\n" } }, { claim: done }]`).join('\n')}
`;

/** Red until thing 1 is there: what a person breaks shows in the suite. */
const SUITE = 'sh test/thing-1.sh\n';

const getTypes = async (dir: string, type: string) => {
  const { stdout } = await runCli(dir, ['log', '--type', type, '--json']);
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>);
};

function breakThing(dir: string): void {
  rmSync(join(dir, 'src/1.txt'));
  git(dir, 'commit', '-q', '-a', '-m', 'Lose thing 1');
}

describe('a project that a person breaks on the way', () => {
  let dir = '';
  let limited: RunEnd;
  let rest: RunEnd;
  beforeAll(async () => {
    dir = makeProject({ 'agent.yaml': AGENT, 'test/all.sh': SUITE });
    limited = await runJson<RunEnd>(dir, ['run', '--max-tasks', '1']);
    breakThing(dir);
    rest = await runJson<RunEnd>(dir, ['run', '--all']);
  });

  it('stops after as many landed tasks as asked for', () => {
    expect(limited).toMatchObject({ stopped: 'task-limit', attempts: [{ task: '1', outcome: 'landed' }] });
  });

  it('has the task done again first whose test broke, and then the others', async () => {
    expect(rest.attempts.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      '1 landed',
      '2 landed',
      '3 landed',
    ]);
    const [event] = await getTypes(dir, 'task.reopened');
    expect(JSON.stringify(event)).toContain('passed when task 1 landed and fails at');
  });

  it('is looked at as a whole before it is called done, with its proofs', async () => {
    expect(rest).toMatchObject({ stopped: 'all-done', audit: { ok: true, landings: 4 } });
    // Once at the end of each run.
    expect(await getTypes(dir, 'project.checked')).toHaveLength(2);
  });

  it('is kept whole by a run that maintains, which takes what is added as well', async () => {
    commit(dir, { '.harness.yaml': `${CONFIG}session_config: { health_minutes: 0.001 }\n` });
    const features = [...FEATURES, { id: 4, description: 'Thing 4 exists', test_file: 'test/thing-4.sh' }];
    const run = runJson<RunEnd>(dir, ['run', '--maintain']);
    commit(dir, {
      'features.json': getBacklog(features.map(one => ({ ...one, passes: one.id !== 4 }))),
      'test/thing-4.sh': 'test -f src/4.txt\n',
    });
    breakThing(dir);
    await until(async () => (await getTypes(dir, 'task.landed')).length === 6);
    await runCli(dir, ['stop']);
    const end = await run;
    expect(end.stopped).toBe('asked');
    expect(end.attempts.map(({ task, outcome }) => `${task} ${outcome}`).sort()).toEqual([
      '1 landed',
      '4 landed',
    ]);
  });
});

it('a task that is open again is landed as it was once somebody else has fixed it', async () => {
  const dir = makeProject({ 'agent.yaml': AGENT, 'test/all.sh': SUITE });
  await runCli(dir, ['run']);
  breakThing(dir);
  expect(await runJson(dir, ['run', '--task', '2'])).toMatchObject({
    stopped: 'nothing-ready',
    attempts: [],
  });
  git(dir, 'revert', '--no-edit', 'HEAD');
  const end = await runJson<RunEnd>(dir, ['run', '--max-tasks', '1']);
  expect(end).toMatchObject({ stopped: 'task-limit', attempts: [{ task: '2', outcome: 'landed' }] });
  expect(await getTypes(dir, 'session.ended')).toHaveLength(2);
});

it('a run that gets nowhere stops and says so', async () => {
  const lies = `tasks:\n${[1, 2].map(id => `  "${id}": [{ lie: done }]`).join('\n')}\n`;
  const config = `${CONFIG}attempts: { max_attempts: 9 }\n`;
  const features = FEATURES.slice(0, 2).map(one => ({ ...one, depends_on: [] }));
  const dir = makeProject({
    'agent.yaml': lies,
    '.harness.yaml': config,
    'features.json': getBacklog(features),
  });
  const { code, stdout } = await runCli(dir, ['run', '--all', '--json']);
  const end = JSON.parse(stdout) as RunEnd;
  expect(end.stopped).toBe('stale');
  expect(end.attempts).toHaveLength(6);
  expect(code).toBe(5);
});

it('a run whose time is over begins nothing', async () => {
  const dir = makeProject();
  expect(await runJson(dir, ['run', '--for', '0.001s'])).toMatchObject({ stopped: 'time', attempts: [] });
  expect((await runCli(dir, ['run', '--for', 'ever'])).code).toBe(2);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (await holds()) return;
    await new Promise(resolve => setTimeout(resolve, 500));
  }
  throw new Error('it did not come to that');
}
