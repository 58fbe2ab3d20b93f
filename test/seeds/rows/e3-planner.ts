import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';
import type { Stage } from '../stage.ts';

const task = (id: string, title: string, dependsOn: readonly string[]) => ({
  ...{ id, title, depends_on: dependsOn, category: 'Billing' },
  ...{ test_file: `test/${id}.sh`, files: [`src/${id}.txt`], size: 'medium' },
  verification_steps: [`${title} is seen`],
});

const ANSWER = {
  summary: 'Payments.',
  tasks: [task('a', 'A card can be charged', ['0001']), task('b', 'A charge can be undone', ['a'])],
};

/** One plan is completed; the planner answers with two more. */
function makeProject(stage: Stage) {
  const done = {
    [`${COMPLETED}/0001-first.md`]: getPlan('0001', { status: 'completed' }),
    'src/0001.txt': 'x',
  };
  const planner = {
    planner: { attempts: [[{ answer: ANSWER }], [{ answer: ANSWER }], [{ answer: ANSWER }]] },
  };
  return makePlansProject(
    stage,
    {},
    { ...done, 'agent.yaml': JSON.stringify(planner), 'spec.md': '# Payments\n' },
  );
}

/** From a specification to plan files. */
export const PLANNER: readonly Row[] = [
  {
    id: 'E3.1',
    asked: 'a specification becomes plan files with the next numbers, in one commit',
    command: 'harness plan --spec spec.md --yes',
    seen: '0002-…md and 0003-…md in planDir',
    async show(stage) {
      const project = makeProject(stage);
      const { code, text } = await project.harness('plan', '--spec', 'spec.md', '--yes');
      assert.equal(code, 0, text);
      const added = project.git('show', '--format=', '--name-only', 'HEAD', '--', ACTIVE).split('\n');
      assert.deepEqual(added, [
        `${ACTIVE}/0002-a-card-can-be-charged.md`,
        `${ACTIVE}/0003-a-charge-can-be-undone.md`,
      ]);
    },
  },
  {
    id: 'E3.2',
    asked: 'the head has id, title, phase, status, depends_on, estimated_passes and acceptance_tags',
    command: 'harness plan --spec spec.md --yes',
    seen: 'each of them, and the acceptance criteria below',
    async show(stage) {
      const project = makeProject(stage);
      await project.harness('plan', '--spec', 'spec.md', '--yes');
      const plan = project.read(`${ACTIVE}/0003-a-charge-can-be-undone.md`);
      for (const line of [
        ...['id: "0003"', 'title: "A charge can be undone"', 'phase: "Billing"', 'status: active'],
        ...['depends_on: ["0002"]', 'estimated_passes: 2', 'acceptance_tags: []'],
        ...['# A charge can be undone', '- [ ] A charge can be undone is seen'],
      ])
        assert.ok(plan.replace('"active"', 'active').includes(`${line}\n`), `${line}: ${plan}`);
      const { code, text } = await project.harness('validate');
      assert.equal(code, 0, text);
    },
  },
  {
    id: 'E3.3',
    asked: 'a preview changes nothing',
    command: 'harness plan spec.md --preview',
    seen: 'every file it would write, and no commit',
    async show(stage) {
      const project = makeProject(stage);
      const before = project.git('rev-parse', 'HEAD');
      const { code, text } = await project.harness('plan', 'spec.md', '--preview');
      assert.equal(code, 0, text);
      assert.match(text, /would write docs\/exec-plans\/active\/0002-a-card-can-be-charged\.md/);
      assert.match(text, /depends_on: \["0001"\]/);
      assert.equal(project.git('rev-parse', 'HEAD'), before);
      assert.ok(!project.has(ACTIVE));
    },
  },
  {
    id: 'E3.4',
    asked: 'a limit of new plans',
    command: 'harness plan --spec spec.md --max-new-plans 1 --yes',
    seen: 'a planner that gives two is asked again, and refused in the end (exit 5)',
    async show(stage) {
      const project = makeProject(stage);
      const { code, text } = await project.harness(
        'plan',
        '--spec',
        'spec.md',
        '--max-new-plans',
        '1',
        '--yes',
      );
      assert.equal(code, 5, text);
      assert.match(text, /2 tasks, at most 1 are wanted/);
      assert.ok(!project.has(ACTIVE));
    },
  },
  {
    id: 'E3.5',
    asked: 'a plan that waits can be taken later',
    command: 'harness plan --spec spec.md, then harness plan --accept',
    seen: 'the same files',
    async show(stage) {
      const project = makeProject(stage);
      await project.harness('plan', '--spec', 'spec.md');
      assert.ok(!project.has(ACTIVE));
      const { code, text } = await project.harness('plan', '--accept');
      assert.equal(code, 0, text);
      assert.ok(project.has(`${ACTIVE}/0002-a-card-can-be-charged.md`));
    },
  },
  { id: 'E3.6', asked: 'acceptance tags of the specification are threaded onto the plans', later: 'phases' },
];
