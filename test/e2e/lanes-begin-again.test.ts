import { expect, it } from 'vitest';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import { runCli } from '../support/cli.ts';
import { makeRepo } from '../support/git-fixture.ts';

const CONFIG = `project: { name: list }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.json }
verification: { review: "off" }
git: { queue: { company: 2, wait_seconds: 3600 } }
`;

const TEST = (name: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list } from '../src/list.js';
test('${name} is listed', () => assert.ok(list.includes('${name}')));
`;

/** Puts its own line where the other one puts its own; what is there by the second try is kept. */
const moves = (name: string) => [
  { sleep: 3 },
  { run: `grep -q "'${name}'" src/list.js || sed -i "s/^];/  '${name}',\\n];/" src/list.js` },
  { run: `node --test test/${name}.test.js` },
  { claim: `${name} is listed` },
];

/** Lands before the others are done, so that they have to be queued. */
const FIRST = [
  { edit: { file: 'src/first.js', content: 'export const first = true;\n' } },
  { run: 'node --test test/first.test.js' },
  { claim: 'it is first' },
];

const FIRST_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('it is there', async () => assert.ok((await import('../src/first.js')).first));
`;

const feature = (id: number, name: string) => ({
  ...{ id, category: 'list', description: `List ${name}`, test_file: `test/${name}.test.js` },
  ...{ verification_steps: ['it is listed'], size_estimate: 'small', depends_on: [], passes: false },
});

it('who is taken out of a batch begins again when the rest of it has landed, and not before', async () => {
  const features = [feature(1, 'first'), feature(2, 'tea'), feature(3, 'mug')];
  const dir = makeRepo(
    {
      'package.json': '{ "name": "list", "type": "module" }\n',
      '.gitignore': '.harness/\n',
      '.harness.yaml': CONFIG,
      'agent.json': JSON.stringify({ tasks: { 1: FIRST, 2: moves('tea'), 3: moves('mug') } }),
      'features.json': JSON.stringify({ project: 'list', features }),
      'src/list.js': 'export const list = [\n];\n',
      'test/first.test.js': FIRST_TEST,
      'test/tea.test.js': TEST('tea'),
      'test/mug.test.js': TEST('mug'),
      // So long a suite that a free lane would have begun in the middle of it.
      'test/slow.test.js': `import { test } from 'node:test';
test('all of it takes a while', () => new Promise(done => setTimeout(done, 2_000)));
`,
    },
    '--template=',
  );
  const { code, stderr } = await runCli(dir, ['run', '--all', '--workers', '3', '--json']);
  expect(code, stderr).toBe(0);
  const told = stderr.split('\n').flatMap(line => (line.includes('"type"') ? [line] : []));
  const events = told.map(line => JSON.parse(line) as HarnessEvent);
  const batch = events.findIndex(event => event.type === 'batch.ended' && event.commit !== null);
  const again = events.findIndex(event => event.type === 'attempt.started' && event.attempt === 2);
  expect(events.filter(event => event.type === 'attempt.ended' && event.collided)).toHaveLength(1);
  expect(batch).toBeGreaterThan(-1);
  expect(again).toBeGreaterThan(batch);
}, 180_000);
