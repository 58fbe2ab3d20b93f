import assert from 'node:assert/strict';
import { getNodeFiles } from '../../support/node-project.ts';
import type { Behaviour, Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const HEAD = `${'='.repeat(80)}\nCLAUDE PROGRESS LOG - shop\n${'='.repeat(80)}\n`;
const AGENT = `tasks:
  "1": [{ decide: "ES modules, because node runs them" }, { edit: { file: src/1.mjs, content: "export const n = 1;\\n" } }, { claim: Number 1 is exported }]
  "*": [{ give_up: not today }]
`;

/** The prompt of task 3, which builds on task 1, after task 1 has landed. */
async function readPrompt(stage: Stage): Promise<string> {
  const project = stage.project(getNodeFiles({ agent: AGENT }));
  await project.harness('run');
  return (await project.json<{ prompt: string }>('run', '--dry-run', '--task', '3')).prompt;
}

const shows = (id: string, asked: string, seen: string, ...lines: readonly RegExp[]): Behaviour => ({
  id,
  asked,
  command: 'harness run, then harness run --dry-run --task 3',
  seen,
  async show(stage) {
    const prompt = await readPrompt(stage);
    for (const line of lines) assert.match(prompt, line);
  },
});

/** The entry that landed with task 1. */
async function readNotes(stage: Stage): Promise<string> {
  const project = stage.project({ ...getNodeFiles({ agent: AGENT }), 'claude-progress.txt': HEAD });
  await project.harness('run');
  return project.git('show', 'HEAD:claude-progress.txt');
}

const notes = (id: string, asked: string, seen: string, ...lines: readonly RegExp[]): Behaviour => ({
  id,
  asked,
  command: 'harness run, then git show HEAD:claude-progress.txt',
  seen,
  async show(stage) {
    const text = await readNotes(stage);
    for (const line of lines) assert.match(text, line);
  },
});

/** What an agent is told instead of reading it, and what is written down for people. */
export const ORIENTATION: readonly Row[] = [
  shows(
    'C5.1',
    'session, project and progress stand first',
    'Session 2, shop, 1/3',
    /\*\*Session:\*\* 2/,
    /\*\*Project:\*\* shop/,
    /\*\*Progress:\*\* 1\/3 tasks landed \(33%\)/,
  ),
  shows(
    'C5.2',
    'the health of the suite as it is now',
    '2 tests pass, 2 fail',
    /\*\*Health:\*\* 2 tests pass on the base, 2 fail/,
  ),
  shows(
    'C5.3',
    'the last session: its task, what became of it, its commit',
    'landed as commit …',
    /## Last session \(1\)\n\n- Task 1 \(Number 1 is known\): landed as commit [0-9a-f]{10}/,
  ),
  shows(
    'C5.4',
    'the task of this session with its test file and its command',
    'task 3 with both',
    /\*\*Task 3:\*\* Number 3 is known/,
    /\*\*Test file:\*\* test\/3\.test\.mjs/,
    /`node --test test\/3\.test\.mjs`/,
  ),
  shows(
    'C5.5',
    'what it depends on, each with a mark when it is done',
    '1 … ✓',
    /\*\*Builds on:\*\* 1 \(Number 1 is known\) ✓/,
  ),
  shows(
    'C5.6',
    'key files with the session of their last change',
    'src/1.mjs, session 1',
    /## Key files\n\n- src\/1\.mjs \(task 1, session 1, 1 lines\)/,
  ),
  shows(
    'C5.7',
    'recent decisions with their sessions',
    'Session 1: ES modules',
    /## Recent decisions\n\n- Session 1: ES modules, because node runs them/,
  ),
  {
    id: 'C5.8',
    asked: 'all of it in about 500 tokens',
    command: 'harness run, then harness run --dry-run --task 3',
    seen: 'at most 2000 characters',
    async show(stage) {
      const prompt = await readPrompt(stage);
      const orientation = prompt.slice(prompt.indexOf('## Current state'));
      assert.ok(orientation.length <= 2_000, `${orientation.length} characters`);
    },
  },
  {
    id: 'C5.9',
    asked: 'the project has one name everywhere',
    command: 'harness run --dry-run, status and health where the backlog names another one',
    seen: 'the name of the configuration',
    async show(stage) {
      const files = getNodeFiles();
      const project = stage.project({
        ...files,
        'features.json': files['features.json'].replace('"shop"', '"elsewhere"'),
      });
      const { prompt } = await project.json<{ prompt: string }>('run', '--dry-run');
      assert.match(prompt, /\*\*Project:\*\* shop/);
      for (const command of ['status', 'health'])
        assert.match((await project.harness(command)).out, /^Project: +shop$/m);
    },
  },
  notes(
    'C5.10',
    'an entry for the session: feature and what was done',
    'SESSION 1, FEATURE, WHAT I DID',
    /^SESSION 1 - \d{4}-\d\d-\d\d \d\d:\d\d/m,
    /^FEATURE: #1 \(Number 1 is known\)$/m,
    /^WHAT I DID:\n- Number 1 is exported\n- Changed src\/1\.mjs$/m,
  ),
  notes(
    'C5.11',
    'VERIFICATION with the real output of the test in short',
    'the command, the test, PASSED, the count',
    /^VERIFICATION:\n\$ node --test test\/1\.test\.mjs\ntest\/1\.test\.mjs > number 1 PASSED\n1 pass, 0 fail in [\d.]+ s$/m,
  ),
  notes(
    'C5.12',
    'CURRENT STATE with the tests after the work',
    '2 pass, 2 fail, Feature #1 complete',
    /^CURRENT STATE:\n- Tests after this: 2 pass, 2 fail\n- Feature #1 complete$/m,
  ),
  notes('C5.13', 'DECISIONS', 'the decision', /^DECISIONS:\n- ES modules, because node runs them$/m),
  {
    id: 'C5.14',
    asked: 'NEXT is the task that comes next, also one that has just become ready',
    command: 'harness run, then harness next',
    seen: 'the same task in both',
    async show(stage) {
      const features = [1, 2, 4].map(id => ({
        ...{ id, description: `Number ${id} is known`, test_file: `test/${id}.test.mjs`, passes: false },
        ...(id === 2 ? { depends_on: [1] } : {}),
      }));
      const files = { ...getNodeFiles({ agent: AGENT, features }), 'claude-progress.txt': HEAD };
      const project = stage.project(files);
      await project.harness('run');
      const { next } = await project.json<{ next: { id: string } }>('next');
      assert.equal(next.id, '2');
      assert.match(project.read('claude-progress.txt'), /^NEXT: Feature #2 \(Number 2 is known\)$/m);
    },
  },
  {
    id: 'C5.16',
    asked: 'a project has one name, that of its configuration, whatever the backlog calls it',
    command:
      'harness run --dry-run, harness status, harness health, with project.name: shop and "project": "cart"',
    seen: 'shop in the prompt, twice, and at the head of both; cart nowhere',
    async show(stage) {
      const files = getNodeFiles({ agent: AGENT });
      const backlog = (files['features.json'] ?? '').replace(/"project": *"[^"]*"/, '"project": "cart"');
      const config = (files['.harness.yaml'] ?? '').replace(/name: [\w-]+/, 'name: shop');
      const project = stage.project({ ...files, 'features.json': backlog, '.harness.yaml': config });
      const { prompt } = await project.json<{ prompt: string }>('run', '--dry-run');
      assert.match(prompt, /in project shop\n[\s\S]*^\*\*Project:\*\* shop$/m);
      const shown = [prompt];
      for (const command of ['status', 'health']) shown.push((await project.harness(command)).out);
      for (const text of shown.slice(1)) assert.match(text, /^Project: +shop$/m);
      for (const text of shown) assert.doesNotMatch(text, /\bcart\b/);
    },
  },
  {
    id: 'C5.15',
    asked: 'sessions that did not finish have an entry, too',
    command: 'harness run twice, then claude-progress.txt',
    seen: 'SESSION 1 with how it ended, then SESSION 2',
    async show(stage) {
      const agent = `tasks: { "1": { attempts: [[{ edit: { file: src/1.mjs, content: "export const n = 0;" } }, { give_up: Number 1 is begun }], [{ edit: { file: src/1.mjs, content: "export const n = 1;\\n" } }, { claim: done }]] } }\n`;
      const files = getNodeFiles({
        agent,
        features: [{ id: 1, description: 'Number 1 is known', test_file: 'test/1.test.mjs', passes: false }],
      });
      const project = stage.project({ ...files, 'claude-progress.txt': HEAD });
      await project.harness('run');
      await project.harness('run');
      const text = project.read('claude-progress.txt');
      assert.deepEqual(text.match(/^SESSION \d/gm), ['SESSION 1', 'SESSION 2']);
      assert.match(text, /- Feature #1 failed: .*Number 1 is begun/);
    },
  },
];
