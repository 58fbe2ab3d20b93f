import { expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';

const CONFIG = `project: { name: sample }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
attempts: { max_attempts: 2 }
`;

const HEAD = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";
const wants = (file: string, ...tests: readonly [string, string, string][]): string =>
  `${HEAD}import { answer } from '../src/${file}.js';\n${tests
    .map(([name, call, value]) => `test('${name}', () => assert.equal(${call}, ${value}));\n`)
    .join('')}`;

const FILES = {
  'src/price.js': 'export const answer = () => "12.50";\n',
  'test/price.test.js': wants('price', ['prices have a point', 'answer()', '"12.50"']),
  'test/one.test.js': wants('one', ['it is 4', 'answer()', '4'], ['it is 5', 'answer()', '5']),
  'test/two.test.js': wants('price', ['prices have a comma', 'answer()', '"12,50"']),
  'test/three.test.js': wants('three', ['it is not itself', 'answer() === 1 && answer() === 2', 'true']),
  'test/four.test.js': `import 'a-package-that-nobody-published';\n${wants('four', ['it is 4', 'answer()', '4'])}`,
  'test/five.test.js': wants('five', ['it is 5', 'answer()', '5']),
};

/** An agent that tries one thing and then the other, and always says that it is done. */
const tries = (file: string, ...values: readonly string[]) => ({
  attempts: values.map(value => [
    { edit: { file: `src/${file}.js`, content: `export const answer = () => ${value};\n` } },
    { claim: 'done' },
  ]),
});

const AGENT = {
  tasks: {
    '1': tries('one', '4', '5', '4', '5'),
    '2': tries('price', '"12,50"', '"12.500"', '"12,50"', '"12.500"'),
    '3': tries('three', '1', '2', '1', '2'),
    '4': tries('four', '4', '"4"'),
    '5': tries('five', '5', '5.0'),
  },
};

const FEATURES = ['one', 'two', 'three', 'four', 'five'].map((name, index) => ({
  id: index + 1,
  description: name,
  test_file: `test/${name}.test.js`,
  ...(name === 'five' ? { validation: { command: 'false', timeout_seconds: 10 } } : {}),
  passes: false,
}));

it('never lands what contradicts itself: five impossible tasks are put before a person, with the reason', async () => {
  const dir = makeProject({
    ...FILES,
    '.harness.yaml': CONFIG,
    'agent.yaml': JSON.stringify(AGENT),
    'features.json': JSON.stringify({ project: 'sample', features: FEATURES }),
  });
  await runCli(dir, ['run', '--all']);
  const { stdout } = await runCli(dir, ['log', '--json', '--type', 'attempt.ended', '--type', 'task.landed']);
  const ended = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; task: string; outcome?: string; reason?: string });
  expect(ended.filter(({ type }) => type === 'task.landed')).toEqual([]);
  const last = (task: string) => ended.findLast(event => event.task === task);
  expect(last('1')).toMatchObject({ outcome: 'needs-human' });
  expect(last('1')?.reason).toMatch(/it is 5.* and .*it is 4 look contradictory/);
  expect(last('2')?.reason).toMatch(/prices have a (point|comma) and .*look contradictory/);
  expect(last('3')?.reason).toMatch(/it is not itself failed in all 2 attempts/);
  expect(last('4')?.reason).toMatch(/four\.test\.js.* failed in all 2 attempts/);
  expect(last('5')?.reason).toMatch(/validation: false failed in all 2 attempts/);
});
