import assert from 'node:assert/strict';
import { type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

/** Tasks whose agent does what each of them wants, or gives up where `fails` names it. */
function open(stage: Stage, tasks: readonly Partial<Feature>[], fails: readonly number[] = []): SeedProject {
  const features = tasks.map((task, i) => ({
    id: i + 1,
    description: `Thing ${i + 1} exists`,
    test_file: `test/thing-${i + 1}.sh`,
    passes: false,
    ...task,
  }));
  const moves = features.map(({ id }) =>
    fails.includes(Number(id))
      ? `  "${id}": [{ give_up: no }]`
      : `  "${id}": [{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`,
  );
  const tests = features.map(({ id }) => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`]);
  return stage.project({
    'features.json': getBacklog(features),
    'agent.yaml': `tasks:\n${moves.join('\n')}\n`,
    ...Object.fromEntries(tests),
  });
}

/** Ids in the order in which work on them began. */
function getStarted(project: SeedProject): string[] {
  return [...project.log().matchAll(/Starting \[([^\]]+)\]/g)].map(match => match[1] ?? '');
}

/** Which task is next, and what keeps the others. */
export const SELECTION: readonly Row[] = [
  {
    id: 'A8.1',
    asked: 'P0 before P1 before P2, then the lowest id',
    command: 'harness run --all',
    seen: 'Starting lines in that order',
    async show(stage) {
      const project = open(stage, [
        { priority: 'P2' },
        { priority: 'P1' },
        { priority: 'P0' },
        { priority: 'P1' },
      ]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.deepEqual(getStarted(project), ['3', '2', '4', '1']);
    },
  },
  {
    id: 'A8.2',
    asked: 'only tasks whose dependencies are completed',
    command: 'harness run --all',
    seen: 'the dependency first, whatever the priorities',
    async show(stage) {
      const project = open(stage, [{ depends_on: [2], priority: 'P0' }, { priority: 'P2' }]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.deepEqual(getStarted(project), ['2', '1']);
    },
  },
  {
    id: 'A8.3',
    asked: 'failed tasks that may be tried again come last, the oldest failure first',
    command: 'harness run --all with two tasks that fail',
    seen: 'fresh tasks first, then the failed ones in the order they failed',
    async show(stage) {
      const project = open(stage, [{ max_attempts: 2 }, { max_attempts: 2 }, {}], [1, 2]);
      await project.harness('run', '--all');
      assert.deepEqual(getStarted(project), ['1', '2', '3', '1', '2']);
    },
  },
  {
    id: 'A8.4',
    asked: 'a cycle stops its members only, also when the backlog is read for the first time',
    command: 'harness run --all with 1 → 2 → 1 and a task 3',
    seen: '3 lands, exit 7, one question, a DEPENDENCY line for each member',
    async show(stage) {
      const project = open(stage, [{ depends_on: [2] }, { depends_on: [1] }, {}]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.deepEqual(getStarted(project), ['3']);
      const inbox = await project.json<{ questions: { kind: string }[] }>('inbox');
      assert.deepEqual(
        inbox.questions.map(({ kind }) => kind),
        ['cycle'],
      );
      for (const id of ['1', '2'])
        assert.match(
          project.log(),
          new RegExp(`ERROR \\[${id}\\] \\[DEPENDENCY\\] Circular dependency detected: 1 -> 2 -> 1`),
        );
    },
  },
  {
    id: 'A8.8',
    asked: 'a cycle is asked about once, however much lands beside it',
    command:
      'harness run --all with 1 → 2 → 1 and tasks 3, 4, 5; a commit that changes the backlog; harness run --all',
    seen: 'one question and one line for each member, after three landings and a second run',
    async show(stage) {
      const project = open(stage, [{ depends_on: [2] }, { depends_on: [1] }, {}, {}, {}]);
      await project.harness('run', '--all');
      assert.deepEqual(getStarted(project), ['3', '4', '5']);
      project.commit({ 'features.json': `${project.read('features.json')}\n` });
      await project.harness('run', '--all');
      const count = (pattern: RegExp) => project.log().match(pattern)?.length;
      assert.equal(count(/ESCALATION cycle/g), 1);
      for (const id of ['1', '2'])
        assert.equal(count(new RegExp(`ERROR \\[${id}\\] \\[DEPENDENCY\\]`, 'g')), 1);
      const { out } = await project.harness('log', '--type', 'question.asked', '--json');
      assert.equal(out.trim().split('\n').length, 1);
    },
  },
  {
    id: 'A8.5',
    asked: 'a task that depends on itself is a cycle',
    command: 'harness run --all with 1 → 1 and a task 2',
    seen: '2 lands, a DEPENDENCY line for 1',
    async show(stage) {
      const project = open(stage, [{ depends_on: [1] }, {}]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.deepEqual(getStarted(project), ['2']);
      assert.match(project.log(), /ERROR \[1\] \[DEPENDENCY\] Circular dependency detected: 1 -> 1/);
    },
  },
  {
    id: 'A8.6',
    asked: 'what waits for a task that failed for good is blocked, down the chain',
    command: 'harness run --all where 1 fails and 3 → 2 → 1',
    seen: 'DEPENDENCY lines for 2 and 3, blocked=2 in STATS, nothing of them started',
    async show(stage) {
      const project = open(stage, [{ max_attempts: 1 }, { depends_on: [1] }, { depends_on: [2] }], [1]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.deepEqual(getStarted(project), ['1']);
      assert.match(project.log(), /ERROR \[2\] \[DEPENDENCY\] Blocked by failed 1/);
      assert.match(project.log(), /ERROR \[3\] \[DEPENDENCY\] Blocked by 2/);
      assert.match(project.log(), /STATS .*\bblocked=2\b/);
    },
  },
  {
    id: 'A8.7',
    asked: 'a healthy chain has no DEPENDENCY line',
    command: 'harness run --all where 2 → 1',
    seen: 'both land, no such line',
    async show(stage) {
      const project = open(stage, [{}, { depends_on: [1] }]);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.doesNotMatch(project.log(), /DEPENDENCY/);
    },
  },
];
