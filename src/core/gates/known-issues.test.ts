import { expect, it } from 'vitest';
import { getKnownIssues } from './known-issues.ts';
import type { Standing, TracedTask } from './trace.ts';

const task = (id: string, standing: Standing): TracedTask => ({
  ...{ id, title: `thing ${id}`, verificationSteps: [], standing, commit: null, proof: null },
});

it('what is not in order and stands in no way is told, in the order of the tasks', () => {
  const tasks = [task('10', 'open'), task('2', 'left-out'), task('3', 'proven'), task('4', 'reopened')];
  const looks = { flaky: ['a.js > x'], broken: ['b.js'], tolerated: ['c.js'] };
  expect(getKnownIssues(tasks, new Set(['4']), looks)).toEqual([
    'task 2 (left-out): thing 2',
    'task 10 (open): thing 10',
    'flaky: a.js > x',
    'red: b.js',
    'red, and lived with: c.js',
  ]);
  expect(getKnownIssues([task('3', 'proven')], new Set(), { flaky: [], broken: [], tolerated: [] })).toEqual(
    [],
  );
});
