import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const BURNS =
  'tasks: { "*": [{ burn: { input: 900, output: 200 } }, { edit: { file: src/1.txt, content: x } }, { claim: done }] }\n';

/** A ceiling of tokens is noted; a frozen project does nothing. */
export const FREEZE: readonly Row[] = [
  {
    id: 'E10.1',
    asked: 'the ceiling of tokens is noted and stops nothing',
    command: 'harness run with costs.ceiling_tokens: 1000 and 1,100 used',
    seen: 'budget_ceiling_reached in the log, once; the task lands',
    async show(stage) {
      const config = `${CONFIG}costs: { ceiling_tokens: 1000 }\n`;
      const project = stage.project({ '.harness.yaml': config, 'agent.yaml': BURNS });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /1100 tokens used, more than the 1000/);
      await project.harness('run');
      assert.equal(project.log().match(/WARN budget_ceiling_reached tokens=/g)?.length, 1, project.log());
    },
  },
  {
    id: 'E10.2',
    asked: 'the ceiling can be a variable of the environment',
    command: 'BUDGET_CEILING_TOKENS=1000 harness run',
    seen: 'budget_ceiling_reached, which is not there without it',
    async show(stage) {
      const run = async (env: Record<string, string>) => {
        const project = stage.project({ 'agent.yaml': BURNS });
        assert.equal((await project.harnessIn(env, 'run')).code, 0);
        return project.log();
      };
      assert.match(await run({ BUDGET_CEILING_TOKENS: '1000' }), /budget_ceiling_reached/);
      assert.doesNotMatch(await run({}), /budget_ceiling_reached/);
    },
  },
  {
    id: 'E10.3',
    asked: 'the file FROZEN refuses new runs, with the reason in it',
    command: 'harness run beside .harness/FROZEN',
    seen: 'exit 7, the reason, and how to go on; without the file it goes on',
    async show(stage) {
      const project = stage.project();
      project.write({ '.harness/FROZEN': 'prices are being looked into\n' });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.match(text, /frozen: prices are being looked into/);
      assert.doesNotMatch(text, /attempt 1/);
      await project.sh('rm .harness/FROZEN');
      assert.equal((await project.harness('run')).code, 0);
    },
  },
  {
    id: 'E10.4',
    asked: 'the file FROZEN halts a run in flight',
    command: 'touch .harness/FROZEN while the agent works',
    seen: 'the run ends with 7, and its attempt is not charged',
    async show(stage) {
      const project = stage.project({
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { hang: true }] }\n',
      });
      const child = project.start(['run', '--all']);
      const ended = once(child, 'exit');
      for (let left = 400; left > 0 && !/Starting \[1\]/.test(readLog()); left -= 1) await sleep(50);
      project.write({ '.harness/FROZEN': '' });
      assert.deepEqual(await ended, [7, null]);
      await project.sh('rm .harness/FROZEN');
      assert.match((await project.harness('status')).text, /1: Thing 1 exists \(0\/3\)/);

      function readLog(): string {
        return project.has('.harness/logs/harness-progress.txt') ? project.log() : '';
      }
    },
  },
  { id: 'E10.5', asked: 'daemon freeze, unfreeze, POST /freeze and /unfreeze', later: 'control room' },
];
