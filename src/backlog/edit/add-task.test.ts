import { describe, expect, it } from 'vitest';
import { getBacklogCodec } from '../codec.ts';
import { LOOP_TASKS } from '../read/task-lists.ts';
import { addTask, createFeaturesJson } from './add-task.ts';

const add = (text: string, fields: object = {}) =>
  addTask(text, { description: 'new', testFile: 't.ts', ...fields });

describe('addTask', () => {
  it('fills a new file that can be read back', () => {
    let text = createFeaturesJson('demo', '2025-01-01T00:00:00Z');
    text = add(text).text;
    text = add(text, {
      dependsOn: ['1'],
      priority: 'P0',
      size: 'small',
      validation: { command: 'make' },
    }).text;
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    const { project, tasks, warnings } = getBacklogCodec('features.json').parse(text);
    expect({ project, warnings }).toEqual({ project: 'demo', warnings: [] });
    expect(tasks.map(({ def }) => [def.id, def.priority, def.dependsOn])).toEqual([
      ['1', 2, []],
      ['2', 0, ['1']],
    ]);
    expect(JSON.parse(text).features[1].depends_on).toEqual([1]);
  });

  it.each([
    [
      'tabs and CRLF',
      '{\r\n\t"features": [\r\n\t\t{\r\n\t\t\t"id": 7\r\n\t\t}\r\n\t]\r\n}\r\n',
      '{\r\n\t"features": [\r\n\t\t{\r\n\t\t\t"id": 7\r\n\t\t},\r\n\t\t{\r\n\t\t\t"id": 8,\r\n\t\t\t"description": "new",\r\n\t\t\t"test_file": "t.ts",\r\n\t\t\t"passes": false\r\n\t\t}\r\n\t]\r\n}\r\n',
    ],
    [
      'one line for each feature',
      '{\n  "features": [\n    { "id": 1 },\n    { "id": 2 }\n  ]\n}',
      '{\n  "features": [\n    { "id": 1 },\n    { "id": 2 },\n    { "id": 3, "description": "new", "test_file": "t.ts", "passes": false }\n  ]\n}',
    ],
    [
      'no blanks at all',
      '{"features":[{"id":1}]}',
      '{"features":[{"id":1},{"id":2,"description":"new","test_file":"t.ts","passes":false}]}',
    ],
    [
      'an empty list without blanks',
      '{"features":[]}',
      '{"features":[{"id":1,"description":"new","test_file":"t.ts","passes":false}]}',
    ],
    [
      'an empty list',
      '{\n    "features": []\n}\n',
      '{\n    "features": [\n        {\n            "id": 1,\n            "description": "new",\n            "test_file": "t.ts",\n            "passes": false\n        }\n    ]\n}\n',
    ],
  ])('writes as the file does: %s', (_, before, after) => {
    expect(add(before).text).toBe(after);
  });

  it.each([
    [[1, 12, 3], 13],
    [['1', '2'], '3'],
    [['task-009', 'task-002'], 'task-010'],
    [['login'], 1],
  ])('after %j comes %j', (ids, next) => {
    const text = JSON.stringify({ features: ids.map(id => ({ id })) });
    const added = add(text);
    expect(JSON.parse(added.text).features.at(-1).id).toBe(next);
    expect(added.id).toBe(String(next));
  });

  it('keeps arrays on the one line of a feature', () => {
    const { text } = add('{"features": [{ "id": 1 }]}', { verificationSteps: ['a', 'b'] });
    expect(text).toContain('"verification_steps": ["a", "b"], "passes": false }');
  });

  it('refuses an id that is taken and a file without a list', () => {
    expect(() => add('{"features":[{"id":1}]}', { id: '1' })).toThrow(
      'feature 1 is in features.json already',
    );
    expect(() => add('{}')).toThrow('has no list of features');
  });
});

describe('a task in the tasks.json of harness-loop', () => {
  const TEXT = JSON.stringify({
    metadata: {},
    tasks: ['arch-1', 'arch-2', 'eng-1', 'eng-fix-9'].map(id => ({
      id,
      phase: 'engineering',
      dependencies: [],
    })),
  });
  const addTo = (fields: object) => {
    const { text, id } = addTask(TEXT, { description: 'new', ...fields }, 'tasks.json', LOOP_TASKS);
    return { id, entry: JSON.parse(text).tasks.at(-1) };
  };

  it.each([
    [undefined, 'eng-2'],
    ['qa', 'qa-1'],
    ['UI/UX', 'uiux-1'],
    ['arch', 'arch-3'],
  ])('of the phase %s is %s', (category, id) => {
    expect(addTo(category === undefined ? {} : { category }).id).toBe(id);
  });

  it('has every field that one has there, in the words of the file', () => {
    expect(addTo({ dependsOn: ['arch-1'] }).entry).toEqual({
      id: 'eng-2',
      title: 'new',
      description: 'new',
      phase: 'engineering',
      status: 'pending',
      dependencies: ['arch-1'],
      acceptance_criteria: ['new'],
      output_files: [],
      retry_count: 0,
      started_at: null,
      completed_at: null,
      notes: null,
    });
  });

  it('is refused for a phase that there is not', () => {
    expect(() => addTo({ category: 'sales' })).toThrow(/no phase "sales"/);
  });
});
