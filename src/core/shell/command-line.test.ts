import { expect, it } from 'vitest';
import { getProgramName } from './command-line.ts';

it.each<[string, string | null]>([
  ['nosuchprogram --all', 'nosuchprogram'],
  ['CI=1 npm test -- --run', 'npm'],
  ['"pytest" tests', 'pytest'],
  ['cd app && npm test', 'cd'],
  ['if test -f a; then b; fi', 'if'],
  ['./check.sh', null],
  ['scripts/check', null],
  ['! grep x a.txt', null],
  ['[ -f a ]', null],
  ['$CMD a', null],
  ['run() { true; }; run', null],
  ['', null],
])('the program of %j is %j', (line, program) => {
  expect(getProgramName(line)).toBe(program);
});
