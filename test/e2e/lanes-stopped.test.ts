import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, it } from 'vitest';
import { commit, runCli, runJson } from '../support/cli.ts';
import { git, SHELL_ENV } from '../support/git-fixture.ts';
import {
  findRedCommits,
  getEvents,
  getLandings,
  hasLanded,
  type LoggedEvent,
  makeFeature,
  nameProject,
  until,
  writeNumber,
} from '../support/lanes-project.ts';

const LONG_MS = 300_000;

/** Runs several workers, and does something at every event of a type. */
function runAndWatch(
  cwd: string,
  type: string,
  act: (run: { stop(signal: NodeJS.Signals): void }) => void,
): Promise<{ code: number | null; events: LoggedEvent[] }> {
  const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(cwd), 'cache') };
  const args = [inject('harnessProgram'), 'run', '--all', '--workers', '3', '--json'];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const events: LoggedEvent[] = [];
  createInterface({ input: child.stderr }).on('line', line => {
    const [event] = getEvents(line);
    if (event) events.push(event);
    if (event?.type === type) act({ stop: signal => void child.kill(signal) });
  });
  return new Promise(resolve => child.on('close', code => resolve({ code, events })));
}

/** Task 1 has landed, task 2 is queued and waits for company, task 3 is at work for as long as it likes. */
function makeWaiting(): string {
  const { place, make } = nameProject();
  return make({
    features: [1, 2, 3].map(id => makeFeature(id)),
    moves: {
      1: [writeNumber(1)],
      2: [[until(hasLanded(place, 1)), ...writeNumber(2)]],
      3: [[{ hang: true }], writeNumber(3)],
    },
    queue: '{ queue: { wait_seconds: 3600 } }',
  });
}

const getSessions = (events: readonly LoggedEvent[], task: string) =>
  events.filter(one => one.type === 'session.started' && one.task === task);

describe.each<['SIGINT' | 'SIGKILL', string]>([
  ['SIGINT', 'called off'],
  ['SIGKILL', 'killed'],
])('what is queued when a run gets %s and is %s', signal => {
  it(
    'is shown as such, and landed by the next run without an agent',
    async () => {
      const dir = makeWaiting();
      const first = await runAndWatch(dir, 'candidate.queued', run => run.stop(signal));
      expect(first.events.some(one => one.type === 'task.landed' && one.task === '2')).toBe(false);
      expect((await runCli(dir, ['status'])).stdout).toMatch(/task 2, attempt 1.*queue/);
      const { code, stderr } = await runCli(dir, ['run', '--all', '--workers', '2', '--json']);
      const events = getEvents(stderr);
      expect([code, getSessions(events, '2')]).toEqual([0, []]);
      expect(events).toContainEqual(expect.objectContaining({ type: 'task.landed', task: '2', attempt: 1 }));
      expect(
        getLandings(dir)
          .map(({ task }) => task)
          .sort(),
      ).toEqual(['1', '2', '3']);
      expect(findRedCommits(dir)).toEqual([]);
      expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
    },
    LONG_MS,
  );
});

it(
  'harness recover lands what is queued, and says so before',
  async () => {
    const dir = makeWaiting();
    await runAndWatch(dir, 'candidate.queued', run => run.stop('SIGKILL'));
    const planned = await runJson<{ plan: object[] }>(dir, ['recover', '--dry-run']);
    expect(planned.plan).toContainEqual(
      expect.objectContaining({ task: '2', stage: 'queued', action: 'land' }),
    );
    expect((await runCli(dir, ['recover'])).code).toBe(0);
    expect(
      getLandings(dir)
        .map(({ task }) => task)
        .sort(),
    ).toEqual(['1', '2']);
  },
  LONG_MS,
);

it(
  'what a person commits while a batch is judged stays, and the batch lands on top of it',
  async () => {
    const { place, make } = nameProject();
    const dir = make({
      features: [1, 2, 3].map(id => makeFeature(id)),
      moves: {
        1: [writeNumber(1)],
        2: [[until(hasLanded(place, 1)), ...writeNumber(2)]],
        3: [[until(hasLanded(place, 1)), ...writeNumber(3)]],
      },
      queue: '{ queue: { company: 2, wait_seconds: 3600 } }',
    });
    let commits = 0;
    const { code, events } = await runAndWatch(dir, 'batch.proven', () => {
      if (commits++ === 0) commit(dir, { 'by-hand.txt': 'mine' }, 'By hand');
    });
    expect([code, commits > 0]).toEqual([0, true]);
    expect(events.some(({ type }) => type === 'batch.started')).toBe(true);
    expect(git(dir, 'show', 'main:by-hand.txt')).toBe('mine');
    expect(getLandings(dir)).toHaveLength(3);
    expect(findRedCommits(dir)).toEqual([]);
  },
  LONG_MS,
);
