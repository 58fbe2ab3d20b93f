import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { getFailingScript } from './failing-script.ts';

const run = (path: string, text: string) => {
  const program = path.endsWith('.sh') ? ['sh', '-c'] : ['node', '-e'];
  return spawnSync(program[0] ?? '', [program[1] ?? '', text]).status;
};

it.each([
  ['a.sh', 'set -e\ntest 1 = 1\n'],
  ['a.sh', 'test 1 = 1 || exit 1\necho good'],
  ['a.sh', 'test 1 = 1\nexit 0\n'],
  ['a.sh', 'if true; then\n  exit $?\nfi\n'],
  ['a.cjs', "require('node:assert').equal(1, 1)"],
  ['a.cjs', 'let failed = 0;\nprocess.exit(failed ? 1 : 0);\n'],
  ['a.cjs', 'if (1 > 2) process.exit(1);\nconsole.log(1);\n'],
])('a line is put into %s that makes it fail: %s', (path, text) => {
  expect(run(path, text)).toBe(0);
  expect(run(path, getFailingScript(path, text, 'q7') ?? '')).not.toBe(0);
});

it.each([
  ['a.py', 'assert 1 == 1\n', "assert 1 == 1\n\nraise SystemExit('q7')\n"],
  [
    'a.py',
    'if __name__ == "__main__":\n    unittest.main()\n',
    `raise SystemExit('q7')\nif __name__ == "__main__":\n    unittest.main()\n\n`,
  ],
])('a line is put into %s where it is reached: %s', (path, text, expected) => {
  expect(getFailingScript(path, text, 'q7')).toBe(expected);
});

it.each([
  ['a.sh', 'test -f x || exit 0\necho good\n'],
  ['a.cjs', 'if (!process.env.KEY) process.exit();\nwork();\n'],
  ['a.rb', 'raise unless 1 == 1'],
])('nothing is made of %s where it may end well before its end, or nobody can tell: %s', (path, text) => {
  expect(getFailingScript(path, text, 'q7')).toBeNull();
});
