import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { git, makeTempDir } from '../support/git-fixture.ts';
import {
  findRedCommits,
  getEvents,
  getLandings,
  hasLanded,
  makeFeature,
  makeLanesProject,
  nameProject,
  until,
  writeNumber,
} from '../support/lanes-project.ts';

const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const independent = (count: number) => ({
  features: ids(count).map(id => makeFeature(id)),
  moves: Object.fromEntries(ids(count).map(id => [id, [writeNumber(id)]])),
});
const LONG_MS = 300_000;

it(
  'four workers land eight tasks: proofs come along, every commit of the branch is green',
  async () => {
    const dir = makeLanesProject(independent(8));
    expect((await runCli(dir, ['run', '--all', '--workers', '4'])).code).toBe(0);
    const landings = getLandings(dir);
    expect(landings.map(({ task }) => Number(task)).sort()).toEqual(ids(8));
    for (const one of landings)
      expect(git(dir, 'notes', '--ref', 'harness-proofs', 'show', one.commit)).toContain('proven');
    expect(git(dir, 'rev-list', '--merges', 'main')).not.toBe('');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(findRedCommits(dir)).toEqual([]);
    expect((await runCli(dir, ['audit'])).code).toBe(0);
    expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
  },
  LONG_MS,
);

describe('several workers', () => {
  it(
    'make as many attempts as they are let, however many they are',
    async () => {
      const dir = makeLanesProject(independent(5));
      const { stderr } = await runCli(dir, [
        'run',
        '--all',
        '--workers',
        '4',
        '--max-sessions',
        '3',
        '--json',
      ]);
      expect(getEvents(stderr).filter(({ type }) => type === 'attempt.started')).toHaveLength(3);
      expect(getLandings(dir)).toHaveLength(3);
    },
    LONG_MS,
  );

  it(
    'put work onto the tip one by one where the history is to be a line',
    async () => {
      const dir = makeLanesProject({ ...independent(3), config: '', queue: '{ history: linear }' });
      const { code } = await runCli(dir, ['run', '--all', '--workers', '3']);
      expect(code).toBe(0);
      expect(getLandings(dir)).toHaveLength(3);
      expect(git(dir, 'rev-list', '--merges', 'main')).toBe('');
      expect(findRedCommits(dir)).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'begin with what waits for a queued task as soon as that has landed, and land what a command proves',
    async () => {
      const { place, make } = nameProject();
      const flag = join(makeTempDir(), 'fourth-is-at-work');
      const validation = { command: 'test -f src/2.mjs', timeout_seconds: 30 };
      const { test_file: _, ...plain } = makeFeature(2);
      const dir = make({
        features: [
          makeFeature(1),
          { ...plain, validation },
          makeFeature(3),
          makeFeature(4, { depends_on: [2] }),
        ],
        moves: {
          1: [writeNumber(1)],
          2: [[until(hasLanded(place, 1)), ...writeNumber(2)]],
          3: [[until(`test -e ${flag}`), ...writeNumber(3)]],
          4: [[{ run: `touch ${flag}` }, ...writeNumber(4)]],
        },
        queue: '{ queue: { wait_seconds: 3600 } }',
      });
      const { code, stderr } = await runCli(dir, ['run', '--all', '--workers', '3', '--json']);
      expect([code, existsSync(flag)]).toEqual([0, true]);
      const events = getEvents(stderr);
      const at = (type: string, task: string) =>
        events.findIndex(one => one.type === type && one.task === task);
      expect(at('candidate.queued', '2')).toBeGreaterThan(-1);
      expect(at('task.landed', '2')).toBeLessThan(at('session.ended', '3'));
      expect(getLandings(dir)).toHaveLength(4);
    },
    LONG_MS,
  );
});
