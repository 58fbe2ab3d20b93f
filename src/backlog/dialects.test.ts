import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getBacklogCodec } from './codec.ts';
import { writeBundle } from './folder-workspace.ts';

const SAMPLES = join(import.meta.dirname, '../../test/fixtures/imports');
const read = (name: string) => readFileSync(join(SAMPLES, name), 'utf8');
const plans = writeBundle(
  Object.fromEntries(readdirSync(join(SAMPLES, 'plans')).map(name => [name, read(`plans/${name}`)])),
);

const FORMATS = [
  { path: 'harness-tasks.json', text: read('harness-tasks.json'), done: 'task-001', open: 'task-002' },
  { path: '.harness/tasks.json', text: read('tasks.json'), done: 'arch-1', open: 'eng-1' },
  { path: 'plans', text: plans, done: '0001', open: '0002' },
];

describe.each(FORMATS)('the format of $path', ({ path, text, done, open }) => {
  const codec = getBacklogCodec(path);
  const doneIn = (now: string) =>
    codec
      .parse(now)
      .tasks.filter(t => t.passes)
      .map(t => t.def.id);

  it('is read without a complaint', () => {
    expect(codec.parse(text)).toMatchSnapshot();
    expect(doneIn(text)).toEqual([done]);
  });

  it('marks one task done, and nothing else changes', () => {
    const now = codec.setPasses(text, open, true);
    expect(doneIn(now).sort()).toEqual([done, open].sort());
    expect(codec.compare(text, now)).toEqual({ claims: [open], problems: [] });
    expect(codec.parse(now).tasks.map(t => t.def)).toEqual(codec.parse(text).tasks.map(t => t.def));
  });

  it('takes a task back', () => {
    const now = codec.setPasses(text, done, false);
    expect(doneIn(now)).toEqual([]);
    expect(codec.compare(text, now).problems).toHaveLength(1);
  });

  it('names a task that is not there', () => {
    expect(() => codec.setPasses(text, 'nowhere', true)).toThrow(/nowhere/);
  });

  it('has no say in what an agent may not change', () => {
    fc.assert(
      fc.property(fc.constantFrom('login', 'title', 'depends_on', 'People', 'numbers', 'order'), word => {
        const changed = text.replace(word, `${word}X`);
        fc.pre(changed !== text);
        expect(codec.compare(text, changed).problems).not.toEqual([]);
      }),
    );
  });
});

describe('a status that the format does not know', () => {
  it('is refused with the words that it does', () => {
    const text = read('harness-tasks.json').replace('"failed"', '"finished"');
    expect(() => getBacklogCodec('harness-tasks.json').parse(text)).toThrow(/tasks\[1\]\.status cannot be/);
  });
});

describe('a folder of plans', () => {
  const codec = getBacklogCodec('plans');
  it.each([
    ['a dependency on nothing', { '0001-a.md': '---\ndepends_on: ["0009"]\n---\n# A\n' }, /0009/],
    ['one id twice', { '0001-a.md': '# A\n', '0001-b.md': '# B\n' }, /two plans/],
    ['a head that is no YAML', { '0001-a.md': '---\na: [\n---\n# A\n' }, /cannot be read/],
  ])('is refused for %s', (_, files, message) => {
    expect(() => codec.parse(writeBundle(files))).toThrow(message);
  });

  it('gets a head where it has none, and Windows line ends survive', () => {
    const text = writeBundle({ '0001-a.md': '# A\r\n\r\ntext\r\n' });
    expect(JSON.parse(codec.setPasses(text, '0001', true))['0001-a.md']).toBe(
      '---\r\nstatus: completed\r\n---\r\n\r\n# A\r\n\r\ntext\r\n',
    );
  });
});

describe('a file as it was made elsewhere', () => {
  const EXAMPLES = join(import.meta.dirname, '../../test/fixtures/coming-from');

  it.each([
    ['harness-tasks.json', 'task-003'],
    ['features.json', '3'],
  ])('%s is read without a complaint, and comes back to the byte', (name, id) => {
    const codec = getBacklogCodec(name);
    const text = readFileSync(join(EXAMPLES, name), 'utf8');
    expect(codec.parse(text).warnings).toEqual([]);
    const landed = codec.setPasses(text, id, true);
    expect(landed).not.toBe(text);
    expect(codec.setPasses(landed, id, false)).toBe(text);
  });

  it.each(['null', '""', '" "'])('a validation.command of %s is none yet', command => {
    const task = `{"id": "task-001", "title": "x", "validation": {"command": ${command}, "timeout_seconds": 300}}`;
    const { tasks } = getBacklogCodec('harness-tasks.json').parse(`{"version": 2, "tasks": [${task}]}`);
    expect(tasks[0]?.def.validation).toBe(null);
  });

  it('a version that nobody here knows is refused', () => {
    expect(() => getBacklogCodec('harness-tasks.json').parse('{"version": 3, "tasks": []}')).toThrow(
      'version is 3, and this Harness reads version 2',
    );
  });
});

it.each([
  [
    'features.json',
    JSON.stringify({ features: [{ id: 1, description: 'x', test_file: 'x.js', tags: ['a/b', 'a/b'] }] }),
  ],
  ['harness-tasks.json', JSON.stringify({ tasks: [{ id: 'a', title: 'x', acceptance_tags: ['a/b'] }] })],
  ['tasks.json', JSON.stringify({ tasks: [{ id: 'a', title: 'x', tags: ['a/b'] }] })],
  [
    'plans',
    writeBundle({ '0001-x.md': '---\nacceptance_tags:\n  - a/b\ntags: words of their own\n---\n# x\n' }),
  ],
])('%s names the criteria that a task is meant to meet', (path, text) => {
  const { tasks, warnings } = getBacklogCodec(path).parse(text);
  expect(tasks.map(({ def }) => def.tags)).toEqual([['a/b']]);
  expect(warnings).toEqual([]);
});
