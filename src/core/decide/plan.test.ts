import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPlanProblems, type Plan, type PlannedTask, type PlanRules } from './plan.ts';

const RULES: PlanRules = { maxSteps: 7, maxFiles: 5, knownIds: ['9'], knownTestFiles: ['test/old.js'] };

function task(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    ...{ id, title: `Thing ${id} exists`, depends_on: [], test_file: `test/${id}.js`, size: 'small' },
    ...{ verification_steps: ['it is there'], files: [`src/${id}.js`] },
    ...more,
  };
}
const plan = (...tasks: PlannedTask[]): Plan => ({ summary: 'x', tasks });

describe('a plan', () => {
  it('that keeps to the rules has no problems, also when it builds on what is there', () => {
    expect(getPlanProblems(plan(task('1'), task('2', { depends_on: ['1', '9'] })), RULES)).toEqual([]);
  });

  it.each<[string, PlannedTask[], string]>([
    ['no tasks', [], 'no tasks'],
    ['an id twice', [task('1'), task('1', { test_file: 'b.js' })], 'two tasks have the id 1'],
    ['an id that is taken', [task('9')], 'the id 9 is taken'],
    ['an id that is no word', [task('a b')], 'no number or short word'],
    ['a test file twice', [task('1'), task('2', { test_file: 'test/1.js' })], 'more than one task'],
    ['a test file that is taken', [task('1', { test_file: 'test/old.js' })], 'more than one task'],
    ['a test outside of the project', [task('1', { test_file: '../x.js' })], 'no path in the project'],
    ['too many steps', [task('1', { verification_steps: Array(8).fill('x') })], 'at most 7'],
    ['no steps', [task('1', { verification_steps: [] })], 'no verification steps'],
    ['too many files', [task('1', { files: ['a', 'b', 'c', 'd', 'e', 'f'] })], 'at most 5'],
    [
      'many things at once',
      [task('1', { title: 'Users sign up and log in and out' })],
      'more than one thing',
    ],
    ['a manager', [task('1', { title: 'A user can manage orders' })], 'more than one thing'],
    ['a missing dependency', [task('1', { depends_on: ['7'] })], 'depends on 7, which is not there'],
    ['a circle', [task('1', { depends_on: ['2'] }), task('2', { depends_on: ['1'] })], 'wait for each other'],
    ['a right to everything', [task('1', { may_change: ['**'] })], 'may not be given the right'],
    ['a right to the backlog', [task('1', { may_change: ['features.json'] })], 'may not be given the right'],
    ['a right to the config', [task('1', { may_change: ['.harness.yaml'] })], 'may not be given the right'],
  ])('with %s is sent back', (_, tasks, why) => {
    expect(getPlanProblems(plan(...tasks), RULES).join('\n')).toContain(why);
  });

  it('whose tasks depend only on earlier ones never waits for itself', () => {
    const links = fc.array(fc.array(fc.nat(20)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(links, all => {
        const tasks = all.map((nums, i) =>
          task(`t${i}`, { depends_on: nums.filter(n => n < i).map(n => `t${n}`) }),
        );
        expect(getPlanProblems(plan(...tasks), RULES)).toEqual([]);
      }),
    );
  });
});
