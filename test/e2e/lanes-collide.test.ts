import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';
import {
  findRedCommits,
  getEvents,
  getLandings,
  getTest,
  makeFeature,
  makeLanesProject,
  writeNumber,
} from '../support/lanes-project.ts';

const LONG_MS = 300_000;

/** Each is let one try that counts, and both wait for company. */
const PAIR = {
  config: 'attempts: { max_attempts: 1 }\n',
  queue: '{ queue: { company: 2, wait_seconds: 3600 } }',
};

const edit = (file: string, content: string) => ({ edit: { file, content } });

describe('two tasks that were proven by themselves', () => {
  it(
    'and are red together: one is told what it collides with, is not charged, and lands at its next attempt',
    async () => {
      const agreed = edit('src/agreed.mjs', 'export const both = true;\n');
      const together = `import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
const has = name => existsSync(new URL('../src/' + name + '.mjs', import.meta.url));
test('both agree', () => assert.ok(!has(1) || !has(2) || has('agreed')));
`;
      const dir = makeLanesProject({
        ...PAIR,
        features: [makeFeature(1), makeFeature(2)],
        moves: {
          1: [writeNumber(1), [agreed, ...writeNumber(1)]],
          2: [writeNumber(2), [agreed, ...writeNumber(2)]],
        },
        files: { 'test/both.test.mjs': together },
      });
      const { code, stderr } = await runCli(dir, ['run', '--all', '--workers', '2', '--json']);
      const events = getEvents(stderr);
      const [collision, ...others] = events.filter(({ type }) => type === 'attempt.ended');
      expect([code, others]).toEqual([0, []]);
      expect(collision).toMatchObject({
        outcome: 'partial',
        collided: true,
        reason: expect.stringMatching(/does not go together with .* \(task \d\)/),
        findings: [expect.stringContaining('both agree'), expect.stringContaining('git show')],
      });
      expect(
        getLandings(dir)
          .map(({ task }) => task)
          .sort(),
      ).toEqual(['1', '2']);
      expect(findRedCommits(dir)).toEqual([]);
      expect((await runCli(dir, ['audit', '--rerun'])).code).toBe(0);
    },
    LONG_MS,
  );

  it(
    'and change the same lines: one conflicts without a run, and lands at its next attempt',
    async () => {
      const say = (a: number, b: number) => edit('src/shared.mjs', `export const [a, b] = [${a}, ${b}];\n`);
      const get = (name: string) => `(await import('../src/shared.mjs')).${name}`;
      const claim = { claim: 'it is exported' };
      const dir = makeLanesProject({
        ...PAIR,
        features: [makeFeature(1), makeFeature(2)],
        moves: {
          1: [
            [say(1, 0), claim],
            [say(1, 2), claim],
          ],
          2: [
            [say(0, 2), claim],
            [say(1, 2), claim],
          ],
        },
        files: {
          'src/shared.mjs': 'export const [a, b] = [0, 0];\n',
          'test/1.test.mjs': getTest('a', get('a'), '1'),
          'test/2.test.mjs': getTest('b', get('b'), '2'),
        },
      });
      const { code, stderr } = await runCli(dir, ['run', '--all', '--workers', '2', '--json']);
      const collided = getEvents(stderr).filter(({ type }) => type === 'attempt.ended');
      expect([code, collided]).toEqual([
        0,
        [
          expect.objectContaining({
            collided: true,
            findings: [expect.stringContaining('src/shared.mjs'), expect.stringContaining('git show')],
          }),
        ],
      ]);
      expect(git(dir, 'show', 'main:src/shared.mjs')).toBe('export const [a, b] = [1, 2];');
    },
    LONG_MS,
  );
});
