import { describe, expect, it } from 'vitest';
import { commit, runCli } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';
import {
  findRedCommits,
  getLandings,
  hasLanded,
  makeFeature,
  nameProject,
  until,
  writeNumber,
} from '../support/lanes-project.ts';

const LANDED = 'harness/landed';
const LONG_MS = 300_000;

/** Three tasks have landed beside a checkout with changes in the way, two of them as one batch. */
async function landBatch(): Promise<{ dir: string; merge: string }> {
  const { place, make } = nameProject();
  const first = hasLanded(place, 1).replace('log main', `log ${LANDED}`);
  const dir = make({
    features: [1, 2, 3, 4].map(id => makeFeature(id)),
    moves: {
      1: [writeNumber(1)],
      2: [[until(first), ...writeNumber(2)]],
      3: [[until(first), ...writeNumber(3)]],
      4: [writeNumber(4)],
    },
    queue: '{ queue: { company: 2, wait_seconds: 3600 } }',
  });
  const text = git(dir, 'show', 'main:features.json');
  const main = git(dir, 'rev-parse', 'main');
  write(dir, { 'features.json': `${text}\n\n`, 'src/old.mjs': 'export const n = 0; // mine\n' });
  await runCli(dir, ['run', '--all', '--workers', '3', '--max-tasks', '3']);
  expect(git(dir, 'rev-parse', 'main')).toBe(main);
  expect(git(dir, 'status', '--porcelain')).toContain('src/old.mjs');
  git(dir, 'checkout', '-q', '--', '.');
  const merge = git(dir, 'rev-list', '--merges', LANDED);
  expect([merge.split('\n').length, getLandings(dir, LANDED).length]).toEqual([1, 3]);
  return { dir, merge };
}

/** The same merge, as somebody might have made it by hand. */
function forge(
  dir: string,
  merge: string,
  tree: string,
  parents = git(dir, 'log', '-1', '--format=%P', merge),
): string {
  const given = parents.split(' ').flatMap(parent => ['-p', parent]);
  const message = git(dir, 'log', '-1', '--format=%B', merge);
  return git(dir, 'commit-tree', tree, ...given, '-m', message);
}

describe('harness/landed with a batch in it', () => {
  it(
    'is gone on with, and lands on the base with the next task',
    async () => {
      const { dir } = await landBatch();
      expect(findRedCommits(dir, LANDED)).toEqual([]);
      expect((await runCli(dir, ['run'])).code).toBe(0);
      expect(getLandings(dir)).toHaveLength(4);
      expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
    },
    LONG_MS,
  );

  it(
    'is known without any record of it, and one that was made by hand is not',
    async () => {
      const { dir, merge } = await landBatch();
      await runCli(dir, ['abort', '--clear', '--yes']);
      const base = git(dir, 'rev-parse', 'main');
      git(dir, 'switch', '-q', '--detach', merge);
      commit(dir, { 'src/strange.mjs': 'export {};\n' }, 'Strange');
      const strange = git(dir, 'rev-parse', 'HEAD^{tree}');
      git(dir, 'switch', '-q', 'main');
      const others = git(dir, 'log', '-1', '--format=%P', merge);
      const stranger = git(
        dir,
        'commit-tree',
        git(dir, 'rev-parse', `${merge}^{tree}`),
        '-p',
        base,
        '-m',
        'Who knows',
      );
      const forged = [
        forge(dir, merge, strange),
        forge(dir, merge, git(dir, 'rev-parse', `${merge}^{tree}`), `${others} ${stranger}`),
        forge(dir, merge, git(dir, 'rev-parse', `${base}^{tree}`)),
      ];
      for (const commitId of forged) {
        git(dir, 'branch', '-f', LANDED, commitId);
        const { code, stderr } = await runCli(dir, ['run']);
        expect([code, stderr]).toEqual([2, expect.stringContaining('holds commits that no proof')]);
      }
      git(dir, 'branch', '-f', LANDED, merge);
      expect((await runCli(dir, ['run'])).stderr).not.toContain('holds commits');
      expect(getLandings(dir)).toHaveLength(4);
    },
    LONG_MS,
  );
});
