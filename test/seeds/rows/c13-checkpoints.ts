import assert from 'node:assert/strict';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

interface Listed {
  readonly checkpoints: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly start: { readonly commit: string };
    readonly work: string | null;
  }[];
}

const TASKS: readonly Feature[] = [1, 2].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  max_attempts: 1,
  passes: false,
}));

/** Task 1 lands, task 2 is rejected with work of its own. */
async function openRun(stage: Stage): Promise<SeedProject> {
  const project = stage.project({
    'features.json': getBacklog(TASKS),
    'agent.yaml': `tasks:
  "1": [{ edit: { file: src/1.txt, content: x } }, { claim: done }]
  "2": [{ checkpoint: { step: 1, total: 3, description: half of it } }, { edit: { file: src/other.txt, content: x } }, { claim: done }]
`,
  });
  await project.harness('run', '--all');
  return project;
}

/** Points to return to, and the way back that moves nothing of anybody's. */
export const CHECKPOINTS: readonly Row[] = [
  {
    id: 'C13.1',
    asked: 'a checkpoint before each feature, listed with what came of it',
    command: 'harness run --all; harness checkpoints',
    seen: 'one for each attempt, with commit, outcome, kept work and recorded steps',
    async show(stage) {
      const project = await openRun(stage);
      const { checkpoints } = await project.json<Listed>('checkpoints');
      assert.deepEqual(
        checkpoints.map(({ id, outcome }) => [id, outcome]),
        [
          ['1-1', 'landed'],
          ['2-1', 'rejected'],
        ],
      );
      assert.equal(checkpoints[0]?.start.commit, project.git('rev-list', '--max-parents=0', 'main'));
      assert.equal(typeof checkpoints[1]?.work, 'string');
      assert.match((await project.harness('checkpoints')).text, /step 1\/3: half of it/);
    },
  },
  {
    id: 'C13.2',
    asked: 'git ref and hashes of backlog and notes are kept in .harness/checkpoints',
    command: 'harness run; .harness/checkpoints/checkpoints.json',
    seen: 'git_ref, features_json_hash, progress_file_hash',
    async show(stage) {
      const project = await openRun(stage);
      const [first] = project.readJson<Record<string, unknown>[]>('.harness/checkpoints/checkpoints.json');
      assert.equal(first?.git_ref, project.git('rev-list', '--max-parents=0', 'main'));
      assert.equal(first?.features_json_hash, project.git('rev-parse', `${first?.git_ref}:features.json`));
      assert.ok(first !== undefined && 'progress_file_hash' in first);
    },
  },
  {
    id: 'C13.3',
    asked: 'back to the state before a feature',
    command: 'harness checkpoints 1-1 --branch before-1',
    seen: 'a branch at that commit; main, the checkout and its changes as they were',
    async show(stage) {
      const project = await openRun(stage);
      project.write({ 'mine.txt': 'my own\n' });
      const main = project.git('rev-parse', 'main');
      const { code, text } = await project.harness('checkpoints', '1-1', '--branch', 'before-1');
      assert.equal(code, 0, text);
      assert.equal(project.git('rev-parse', 'before-1'), project.git('rev-list', '--max-parents=0', 'main'));
      assert.equal(project.git('rev-parse', 'main'), main);
      assert.equal(project.git('branch', '--show-current'), 'main');
      assert.equal(project.read('mine.txt'), 'my own\n');
    },
  },
  {
    id: 'C13.4',
    asked: 'work that was rolled back is not lost',
    command: 'harness checkpoints 2-1 --branch try-2 --work',
    seen: 'a branch with what the attempt left',
    async show(stage) {
      const project = await openRun(stage);
      const { code, text } = await project.harness('checkpoints', '2-1', '--branch', 'try-2', '--work');
      assert.equal(code, 0, text);
      assert.equal(project.git('show', 'try-2:src/other.txt'), 'x');
      assert.equal(project.has('src/other.txt'), false);
    },
  },
  {
    id: 'C13.5',
    asked: 'the base is as it was after a feature that failed, logs and costs are kept',
    command: 'harness run --all with a task that is rejected',
    seen: 'a ROLLBACK line, the base without its files, the log and costs.yaml there',
    async show(stage) {
      const project = await openRun(stage);
      assert.match(project.log(), /ROLLBACK \[2\] to [0-9a-f]{7}/);
      assert.equal(project.git('ls-tree', '-r', '--name-only', 'main').includes('src/other.txt'), false);
      assert.ok(project.has('.harness/costs.yaml'));
    },
  },
  {
    id: 'C13.6',
    asked: 'only the last few are kept, as set',
    command: 'harness run --all with checkpoints.per_task: 1 and three attempts',
    seen: 'work of the last attempt alone, once the next run has begun',
    async show(stage) {
      const project = stage.project({
        'features.json': getBacklog([{ ...TASKS[0], max_attempts: 3 } as Feature]),
        '.harness.yaml':
          `${CONFIG}checkpoints: { per_task: 1 }\nverification: { require_evidence: false, feedback_rounds: 0 }\n`.replace(
            'verification: { require_evidence: false }\n',
            '',
          ),
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/other.txt, content: x } }, { claim: done }] }\n',
      });
      await project.harness('run', '--all');
      await project.harness('run', '--all');
      const { checkpoints } = await project.json<Listed>('checkpoints');
      assert.deepEqual(
        checkpoints.map(({ work }) => work !== null),
        [false, false, true],
      );
    },
  },
  {
    id: 'C13.7',
    asked: 'a checkpoint that is not there is named',
    command: 'harness checkpoints 9-9 --branch x',
    seen: 'exit 2 with the way to the list',
    async show(stage) {
      const { code, text } = await stage.project().harness('checkpoints', '9-9', '--branch', 'x');
      assert.equal(code, 2, text);
      assert.match(text, /harness checkpoints lists them/);
    },
  },
];
