import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const ONE: readonly Feature[] = [
  { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false },
];

/** A project whose run was killed while its agent was at work; the agent after that does the task. */
async function openKilled(stage: Stage, moves: string): Promise<SeedProject> {
  const project = stage.project({
    'features.json': getBacklog(ONE),
    'agent.yaml': `tasks: { "*": [${moves}{ say: waiting }, { hang: true }] }\n`,
  });
  const run = project.start(['run']);
  for (let left = 400; left > 0 && !isWaiting(project); left -= 1) await sleep(25);
  run.kill('SIGKILL');
  await once(run, 'exit');
  project.commit({
    'agent.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { claim: done }] }\n',
  });
  return project;
}

function isWaiting(project: SeedProject): boolean {
  return (
    project.has('.harness/logs/agent_actions.jsonl') &&
    project.read('.harness/logs/agent_actions.jsonl').includes('waiting')
  );
}

const getLines = (project: SeedProject) =>
  project
    .log()
    .split('\n')
    .filter(line => line.includes('RECOVERY'));
const GOOD = '{ edit: { file: src/1.txt, content: x } }, ';
const BAD = '{ edit: { file: src/2.txt, content: x } }, ';
const COMMIT = '{ run: "git add -A && git commit -qm \'work on 1\'" }, ';

/** What is done about a session that died, and what the log says of it. */
export const RECOVERY: readonly Row[] = [
  {
    id: 'A11.1',
    asked: 'nothing changed, no checkpoints: no progress, again',
    command: 'kill -9; harness run',
    seen: 'RECOVERY with action and reason, then the task lands',
    async show(stage) {
      const project = await openKilled(stage, '');
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match(
        getLines(project).join('\n'),
        /RECOVERY \[1\] action="begin again" reason="no progress detected: .*"/,
      );
    },
  },
  ...(
    [
      ['A11.2', 'committed work, nothing uncommitted: validated', GOOD + COMMIT],
      ['A11.3', 'uncommitted work: validated with it present', GOOD],
      ['A11.4', 'committed and uncommitted work: both validated', GOOD + COMMIT + BAD],
    ] as const
  ).map(
    ([id, asked, moves]): Row => ({
      id,
      asked: `${asked}; it passes: completed`,
      command: 'kill -9; harness run',
      seen: 'RECOVERY lines for the checks and for the completion, one session in all',
      async show(stage) {
        const project = await openKilled(stage, moves);
        const { code, text } = await project.harness('run', '--all');
        assert.equal(code, 0, text);
        const lines = getLines(project).join('\n');
        assert.match(lines, /action="run the checks on it" reason="\d files? changed/);
        assert.match(lines, /action="complete it" reason="/);
        assert.doesNotMatch(project.log(), /SESSION-2\] Starting/);
      },
    }),
  ),
  {
    id: 'A11.5',
    asked: 'work that does not pass: not completed',
    command: 'kill -9; harness run',
    seen: 'RECOVERY with why, and another session that lands it',
    async show(stage) {
      const project = await openKilled(stage, BAD);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match(getLines(project).join('\n'), /action="go on with its files" reason="/);
      assert.match(project.log(), /SESSION-2\] Starting/);
    },
  },
  {
    id: 'A11.6',
    asked: 'what would be done can be seen beforehand',
    command: 'kill -9; harness recover --dry-run',
    seen: 'the task, the action and the reason; nothing is done',
    async show(stage) {
      const project = await openKilled(stage, GOOD);
      const { code, text } = await project.harness('recover', '--dry-run');
      assert.equal(code, 0, text);
      assert.match(text, /1.*judge/s);
    },
  },
];
