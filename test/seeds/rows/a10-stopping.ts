import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject } from '../stage.ts';

const STATS = /STATS tasks_total=\d+ completed=\d+ failed=\d+ pending=\d+ blocked=\d+/g;
const task = (id: number) => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  max_attempts: 1,
});

/** Everything that ends a run, with its exit code and its STATS. */
export const STOPPING: readonly Row[] = [
  {
    id: 'A10.1',
    asked: 'all tasks are completed',
    command: 'harness run --all',
    seen: 'exit 0, STATS completed=2',
    show: async stage => {
      const project = stage.project({ 'features.json': getBacklog([task(1), task(2)]) });
      await showEnd(project, ['--all'], {
        code: 0,
        says: /everything is landed/,
        stats: 'completed=2 failed=0 pending=0',
      });
    },
  },
  {
    id: 'A10.2',
    asked: 'all that remain have failed at max_attempts',
    command: 'harness run --all with an agent that lies',
    seen: 'exit 7 with the question, STATS failed=1',
    show: async stage => {
      const project = stage.project({ 'features.json': getBacklog([task(3)]) });
      await showEnd(project, ['--all'], { code: 7, says: /no task is ready/, stats: 'completed=0 failed=1' });
    },
  },
  {
    id: 'A10.3',
    asked: 'all that remain are blocked by a failed dependency',
    command: 'harness run --all, 2 after 3, which fails',
    seen: 'exit 7, STATS failed=1 pending=0 blocked=1',
    show: async stage => {
      const project = stage.project({
        'features.json': getBacklog([task(3), { ...task(2), depends_on: [3] }]),
      });
      await showEnd(project, ['--all'], {
        code: 7,
        says: /no task is ready/,
        stats: 'failed=1 pending=0 blocked=1',
      });
    },
  },
  {
    id: 'A10.4',
    asked: 'max_tasks_per_session',
    command: 'harness run --max-tasks 1; session_config.max_tasks_per_session: 1',
    seen: 'exit 0 after one landing, STATS completed=1, both ways',
    show: async stage => {
      const end = { code: 0, says: /the limit of landed tasks is reached/, stats: 'completed=1' };
      await showEnd(stage.project(), ['--max-tasks', '1'], end);
      await showEnd(withSetting(stage.project(), 'max_tasks_per_session: 1'), ['--all'], end);
    },
  },
  {
    id: 'A10.5',
    asked: 'max_sessions across all runs',
    command: 'harness run --all with session_config.max_sessions: 1',
    seen: 'exit 5 and the setting by name, STATS completed=1; a further run starts nothing',
    show: async stage => {
      const project = withSetting(stage.project(), 'max_sessions: 1');
      const end = { code: 5, says: /session_config\.max_sessions is reached/, stats: 'completed=1' };
      await showEnd(project, ['--all'], end);
      await showEnd(project, ['--all'], end);
      assert.equal((await project.json<{ sessions: number }>('status')).sessions, 1);
    },
  },
  {
    id: 'A10.6',
    asked: 'sessions of this run',
    command: 'harness run --max-sessions 1',
    seen: 'exit 0 after one attempt, STATS',
    show: stage =>
      showEnd(stage.project(), ['--max-sessions', '1'], {
        code: 0,
        says: /stopped after 1 attempt/,
        stats: 'completed=1',
      }),
  },
  {
    id: 'A10.7',
    asked: 'the user interrupts',
    command: 'Ctrl-C in harness run',
    seen: 'exit 130, what was running and how to go on, STATS',
    async show(stage) {
      const project = stage.project({ 'agent.yaml': 'tasks: { "*": [{ hang: true }] }\n' });
      const child = project.start(['run']);
      let text = '';
      child.stderr?.on('data', part => {
        text += part;
      });
      for (let left = 200; left > 0 && !hasStarted(project); left -= 1) await sleep(50);
      child.kill('SIGINT');
      const [code] = await once(child, 'exit');
      assert.equal(code, 130, text);
      assert.match(text, /interrupted/);
      assert.equal(project.log().match(STATS)?.length, 1);
    },
  },
  {
    id: 'A10.8',
    asked: 'nothing to do',
    command: 'harness run --all with an empty backlog',
    seen: 'exit 0, and how to add a task',
    async show(stage) {
      const { code, text } = await stage.project({ 'features.json': getBacklog([]) }).harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match(text, /the backlog is empty/);
    },
  },
];

function hasStarted(project: SeedProject): boolean {
  return project.has('.harness/logs/harness-progress.txt') && /Starting \[1\]/.test(project.log());
}

function withSetting(project: SeedProject, setting: string): SeedProject {
  project.commit({ '.harness.yaml': `${project.read('.harness.yaml')}session_config: { ${setting} }\n` });
  return project;
}

interface End {
  readonly code: number;
  readonly says: RegExp;
  readonly stats: string;
}

async function showEnd(
  project: SeedProject,
  flags: readonly string[],
  { code, says, stats }: End,
): Promise<void> {
  const ran = await project.harness('run', ...flags);
  assert.equal(ran.code, code, ran.text);
  assert.match(ran.text, says);
  const last = project.log().match(STATS)?.at(-1) ?? '';
  assert.ok(last.includes(stats), `${last} has no ${stats}`);
}
