import { expect, it } from 'vitest';
import { getTakenUp } from './taken-up.ts';

it.each([
  [['README.md'], null, []],
  [['harness-tasks.json', 'tasks.json'], 'harness-tasks.json', ['tasks.json']],
  [['plans/0001-login.md', 'plans/README.md'], 'plans', []],
  [['docs/exec-plans/active/0001-a.md', 'docs/exec-plans/completed/0000-b.md'], 'docs/exec-plans/active', []],
  [['docs/decisions/0001-sqlite.md', 'plans/notes.md'], null, []],
])('takes up of %j the backlog %s', (files, backlog, others) => {
  expect(getTakenUp(files)).toMatchObject({ backlog, others });
});

it('takes up the scripts of the environment, the own one of a backlog first', () => {
  expect(getTakenUp(['init.sh', 'harness-init.sh', 'reset.sh'])).toMatchObject({
    init: 'harness-init.sh',
    reset: 'reset.sh',
  });
});

it.each([
  [['docs/exec-plans/active/0001-a.md', 'docs/exec-plans/completed/0000-b.md'], 'docs/exec-plans/completed'],
  [['docs/exec-plans/active/0001-a.md'], 'docs/exec-plans/completed'],
  [['plans/0001-a.md'], null],
  [['plans/0001-a.md', 'plans/completed/0000-b.md'], 'plans/completed'],
  [['plans/0001-a.md', 'completed/0000-b.md'], null],
])('takes up of %j the completed plans in %s', (files, completed) => {
  expect(getTakenUp(files)).toMatchObject({ completed });
});
