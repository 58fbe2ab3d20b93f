import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { getFailingScripts } from './failing-script.ts';

const NONCE = 'q7';
const PROGRAMS = { sh: ['sh', '-c'], cjs: ['node', '-e'], py: ['python3', '-c'] } as const;

const run = (kind: keyof typeof PROGRAMS, text: string) => {
  const [program, flag] = PROGRAMS[kind];
  return spawnSync(program, [flag, text], { encoding: 'utf8' });
};

/** The first place at which the line is reached; -1 when it is at none. */
const getReached = (kind: keyof typeof PROGRAMS, text: string) =>
  getFailingScripts(`a.${kind}`, text, NONCE).findIndex(script => {
    const { status, stderr } = run(kind, script.text);
    expect(stderr.includes(NONCE)).toBe(status !== 0);
    return status !== 0;
  });

it.each([
  ['sh', 'set -e\ntest 1 = 1\n', 0],
  ['sh', 'test 1 = 1 || exit 1\necho good', 0],
  ['sh', 'test -f nothing && exit 0\necho good\n', 0],
  ['sh', 'test 1 = 1\nexit 0\n', 1],
  ['sh', 'if true; then\n  exit $?\nfi\n', 1],
  ['sh', 'test -f nothing || exit 0\necho good\nexit 0\n', 2],
  ['cjs', "require('node:assert').equal(1, 1)", 0],
  ['cjs', 'if (1 > 2) process.exit(1);\nconsole.log(1);\n', 0],
  ['cjs', 'let failed = 0;\nprocess.exit(failed ? 1 : 0);\n', 1],
  ['cjs', 'if (!process.env.NO_SUCH_KEY) process.exit();\nwork();\n', 2],
  ['py', 'assert 1 == 1\n', 0],
  ['py', 'import sys\nif __name__ == "__main__":\n    sys.exit(0)\n', 1],
] as const)('%s: %j fails with the line at place %i', (kind, text, place) => {
  expect(run(kind, text).status).toBe(0);
  expect(getReached(kind, text)).toBe(place);
});

it('keeps the first line that names the program', () => {
  const places = getFailingScripts('a.sh', '#!/bin/sh\ntrue', NONCE);
  expect(places.map(({ isFirst }) => isFirst)).toEqual([false, true]);
  for (const { text } of places) expect(text.startsWith('#!/bin/sh\n')).toBe(true);
});

it('knows no place in a language that it does not know', () => {
  expect(getFailingScripts('a.rb', 'raise unless 1 == 1', NONCE)).toEqual([]);
});
