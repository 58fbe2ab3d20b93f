import { expect, test } from 'vitest';
import { HarnessError } from '../../../core/base/failure.ts';
import { getMoves, parseScript } from './script-schema.ts';

function getError(text: string): HarnessError {
  try {
    parseScript(text, 'agent.yaml');
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
  throw new Error('no error');
}

test.each([
  ['tasks: [', undefined, /agent\.yaml: /],
  ['', undefined, /expected a mapping/],
  ['task: {}', 'task', /there are `tasks` and `planner`/],
  ['tasks: none', 'tasks', /expected a mapping/],
  ['tasks: { 1: hello }', 'tasks.1', /expected a mapping/],
  ['tasks: { 1: { attempt: [] } }', 'tasks.1.attempt', /`attempts`/],
  ['tasks: { 1: { attempts: [] } }', 'tasks.1.attempts', /moves of each attempt/],
  ['tasks: { 1: { attempts: [{ say: x }] } }', 'tasks.1.attempts[0]', /list of moves/],
  ['tasks: { 1: [hang] }', 'tasks.1[0]', /mapping/],
  ['tasks: { 1: [{ say: a, run: b }] }', 'tasks.1[0]', /one move/],
  ['tasks: { 1: [{}] }', 'tasks.1[0]', /one move/],
  ['tasks: { 1: [{ shout: a }] }', 'tasks.1[0].shout', /known are say, decide, checkpoint, edit/],
  ['tasks: { 1: [{ constructor: a }] }', 'tasks.1[0].constructor', /unknown move/],
  ['tasks: { 1: { attempts: [[], [{ say: 5 }]] } }', 'tasks.1.attempts[1][0].say', /string/],
  ['tasks: { "*": [{ edit: { content: x } }] }', 'tasks.*[0].edit.file', /string/],
  ['tasks: { 1: [{ edit: { file: a } }] }', 'tasks.1[0].edit', /either `content`/],
  ['tasks: { 1: [{ edit: { file: a, find: x } }] }', 'tasks.1[0].edit', /either `content`/],
  ['tasks: { 1: [{ edit: { file: a, content: x, append: y } }] }', 'tasks.1[0].edit', /either `content`/],
  ['tasks: { 1: [{ burn: { input: -1 } }] }', 'tasks.1[0].burn.input', />=0/],
  ['tasks: { 1: [{ burn: { tokens: 1 } }] }', 'tasks.1[0].burn', /tokens/],
  ['tasks: { 1: [{ hang: 5 }] }', 'tasks.1[0].hang', /true/],
])('%s is refused at %s', (text, field, message) => {
  const error = getError(text);
  expect(error.code).toBe('config');
  expect(error.message).toMatch(message);
  expect(error.details).toMatchObject({ file: 'agent.yaml', fix: expect.stringContaining('agent.yaml') });
  expect(error.details.field).toBe(field);
});

test('each attempt has its own moves, the last list repeats, and * stands in', () => {
  const script = parseScript(
    `tasks:
      1: { attempts: [[{ lie: done }], [{ claim: done }]] }
      "*": [{ give_up: not mine }]`,
    'agent.yaml',
  );
  const names = [1, 2, 3].map(attempt => getMoves(script, '1', attempt)?.[0]?.name);
  expect(names).toEqual(['lie', 'claim', 'claim']);
  expect(getMoves(script, '2', 1)).toEqual([{ name: 'give_up', what: 'not mine' }]);
});

test('a task without an entry has no moves, whatever it is called', () => {
  const script = parseScript('tasks: {}', 'agent.yaml');
  expect(['1', '__proto__', 'toString'].map(id => getMoves(script, id, 1))).toEqual([null, null, null]);
});

test('JSON is as good as YAML, and amounts left out are 0', () => {
  const script = parseScript('{"tasks":{"1":[{"burn":{"input":3}}]}}', 'agent.json');
  expect(getMoves(script, '1', 1)).toEqual([
    { name: 'burn', what: { input: 3, output: 0, cached: 0, cost_usd: 0 } },
  ]);
});
