import { expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const CONFIG = `project: { name: sample }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.yaml }
verification: { tests: separate-author, require_evidence: false }
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('two and two', () => assert.equal(add(2, 2), 4));
`;

const FILES = {
  'src/add.js': 'export const add = () => 0;\n',
  'test/old.test.js': "import { test } from 'node:test';\ntest('old', () => {});\n",
  'features.json': JSON.stringify({
    project: 'sample',
    features: [{ id: 1, description: 'add', test_file: 'test/add.test.js', passes: false }],
  }),
};

const edit = (file: string, content: string) => ({ edit: { file, content } });
const DONE = { claim: 'done' };

/** The author breaks its test first; the coder weakens it first; both are told, and do it right. */
const AGENT = {
  tasks: {
    '1': {
      attempts: [
        [edit('test/add.test.js', `${TEST}{`), DONE],
        [edit('test/add.test.js', TEST), DONE],
        [edit('test/add.test.js', TEST.replace('4', '0')), DONE],
        [edit('test/add.test.js', TEST), edit('src/add.js', 'export const add = (a, b) => a + b;\n'), DONE],
      ],
    },
  },
};

it('lands a test with the work it proves: one agent wrote it, another could not change it', async () => {
  const dir = makeProject({ ...FILES, '.harness.yaml': CONFIG, 'agent.yaml': JSON.stringify(AGENT) });
  const { code, stderr } = await runCli(dir, ['run', '--all']);
  expect(code, stderr).toBe(0);
  const { stdout } = await runCli(dir, ['log', '--json']);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; verdict?: { word: string; decidedBy: string } });
  const story = events.filter(({ type }) =>
    /^(test\.|attempt\.(sent|ended)|verdict|task\.landed)/.test(type),
  );
  expect(story.map(({ type }) => type)).toEqual([
    ...['test.judged', 'attempt.sent-back', 'test.judged', 'test.authored', 'attempt.ended'],
    ...['verdict.given', 'attempt.sent-back', 'verdict.given', 'task.landed'],
  ]);
  expect(story[5]?.verdict).toMatchObject({ word: 'rejected', decidedBy: 'protected' });
  const landed = git(dir, 'show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort();
  expect(landed).toEqual(['features.json', 'src/add.js', 'test/add.test.js']);
  expect(git(dir, 'show', 'HEAD:test/add.test.js')).toContain('add(2, 2), 4');
});
