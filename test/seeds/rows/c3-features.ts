import assert from 'node:assert/strict';
import { CONFIG, FEATURES, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Behaviour, Row } from '../behaviour.ts';

const [FIRST, ...OTHERS] = FEATURES;
const withFirst = (change: Readonly<Record<string, unknown>>) =>
  getBacklog([{ ...FIRST, ...change } as Feature, ...OTHERS]);

const refused = (id: string, asked: string, backlog: string, seen: RegExp): Behaviour => ({
  id,
  asked,
  command: 'harness status',
  seen: 'exit 2 with file, field and fix',
  async show(stage) {
    const { code, text } = await stage.project({ 'features.json': backlog }).harness('status');
    assert.equal(code, 2, text);
    assert.match(text, /features\.json/);
    assert.match(text, seen);
  },
});

const agent = (moves: string) => ({
  '.harness.yaml': CONFIG.replace('require_evidence: false', 'require_evidence: false, feedback_rounds: 0'),
  'agent.yaml': `tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, ${moves}, { claim: done }] }\n`,
});

const rejected = (id: string, asked: string, moves: string, seen: RegExp): Behaviour => ({
  id,
  asked,
  command: 'harness run with an agent that does so',
  seen: 'exit 5, and what was changed',
  async show(stage) {
    const { code, text } = await stage.project(agent(moves)).harness('run');
    assert.equal(code, 5, text);
    assert.match(text, seen);
  },
});

/** The rules of features.json. */
export const FEATURE_RULES: readonly Row[] = [
  refused('C3.1', 'every feature has a test file', withFirst({ test_file: undefined }), /test_file/),
  refused('C3.2', 'no id is there twice', withFirst({ id: 2 }), /features\[1\]\.id/),
  refused('C3.3', 'dependencies exist', withFirst({ depends_on: [9] }), /depends_on/),
  refused(
    'C3.4',
    'a size is small, medium or large',
    withFirst({ size_estimate: 'xlarge' }),
    /size_estimate/,
  ),
  rejected(
    'C3.5',
    'an agent marks no other feature',
    '{ run: "sed -i s/false/true/g features.json" }',
    /marked as passing/,
  ),
  rejected('C3.6', 'an agent edits no description', '{ run: "sed -i s/Thing/Any/g features.json" }', /claim/),
  {
    id: 'C3.7',
    asked: 'the flag is set in the commit that lands, and nothing else in the file',
    command: 'harness run, then git show',
    seen: 'one line of features.json changed',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.equal(
        project.git('show', '--numstat', '--format=', 'HEAD', '--', 'features.json'),
        '1\t1\tfeatures.json',
      );
    },
  },
  {
    id: 'C3.8',
    asked: 'last_updated is kept up with each landing, where the file has it',
    command: 'harness run, then features.json',
    seen: 'the time of the landing',
    async show(stage) {
      const features = getBacklog().replace('{', '{\n  "last_updated": "2025-01-15T10:00:00Z",');
      const project = stage.project({ 'features.json': features });
      const before = Date.now() - 2_000;
      await project.harness('run');
      const { last_updated } = project.readJson('features.json');
      assert.match(String(last_updated), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.ok(Date.parse(String(last_updated)) >= before, String(last_updated));
    },
  },
  {
    id: 'C3.9',
    asked: 'a feature with more than seven steps is asked about, and the others go on',
    command: 'harness run --all, then harness status',
    seen: 'a question that names it, and another task landed',
    async show(stage) {
      const steps = Array.from({ length: 8 }, (_, i) => `Step ${i + 1}`);
      const features = FEATURES.map(one =>
        one.id === 3 ? { ...one, depends_on: [], verification_steps: steps } : one,
      );
      const project = stage.project({ 'features.json': getBacklog(features) });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      const { out } = await project.harness('status');
      assert.match(out, /^Questions: .*(8|steps)/m);
      assert.match(out, /^Tasks: +2\/3 landed/m);
    },
  },
];
