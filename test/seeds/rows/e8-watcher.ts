import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Row } from '../behaviour.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';
import { until } from '../poll.ts';

/** A run that stays: what is there of the daemon. */
export const WATCHER: readonly Row[] = [
  {
    id: 'E8.1',
    asked: 'a watcher that picks the next plan by the graph, and takes new ones as they are committed',
    command: 'harness run --all --maintain, a plan committed meanwhile, harness stop',
    seen: 'both landed, exit 0',
    async show(stage) {
      const two = {
        'agent.yaml':
          'tasks: { "0001": [{ edit: { file: src/0001.txt, content: x } }, { claim: done }], "0002": [{ edit: { file: src/0002.txt, content: x } }, { claim: done }] }\n',
      };
      const project = makePlansProject(stage, { [`${ACTIVE}/0001-a.md`]: getPlan('0001') }, two);
      const run = project.start(['run', '--all', '--maintain']);
      const ended = once(run, 'exit');
      try {
        await until('the first plan landed', () => project.has(`${COMPLETED}/0001-a.md`));
        await until('a quiet checkout', () => project.git('status', '--porcelain') === '');
        project.commit({ [`${ACTIVE}/0002-b.md`]: getPlan('0002', { depends_on: ['0001'] }) });
        await until('the second plan landed', () => project.has(`${COMPLETED}/0002-b.md`));
        await project.harness('stop');
        await ended;
      } finally {
        run.kill('SIGKILL');
      }
      assert.equal(run.exitCode, 0);
    },
  },
  {
    id: 'E8.2',
    asked: 'a plan that fails is set aside, and the others go on',
    command: 'harness run --all',
    seen: 'one blocked, one landed',
    async show(stage) {
      const agent = {
        'agent.yaml':
          'tasks: { "0001": [{ lie: done }], "0002": [{ edit: { file: src/0002.txt, content: x } }, { claim: done }] }\n',
      };
      const plans = { [`${ACTIVE}/0001-a.md`]: getPlan('0001'), [`${ACTIVE}/0002-b.md`]: getPlan('0002') };
      const project = makePlansProject(stage, plans, agent);
      await project.harness('run', '--all');
      assert.match((await project.harness('status')).text, /1\/2 landed/);
      assert.ok(project.has(`${COMPLETED}/0002-b.md`) && project.has(`${ACTIVE}/0001-a.md`));
    },
  },
  {
    id: 'E8.3',
    asked: 'a rate limit is waited out, and costs the plan no attempt',
    command: 'harness run, with an agent that is limited for a second',
    seen: 'the plan lands in its first attempt',
    async show(stage) {
      const agent = {
        'agent.yaml':
          'tasks: { "0001": { attempts: [[{ refuse: { kind: rate_limit, retry_seconds: 1 } }], [{ edit: { file: src/0001.txt, content: x } }, { claim: done }]] } }\n',
      };
      const project = makePlansProject(stage, { [`${ACTIVE}/0001-a.md`]: getPlan('0001') }, agent);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.ok(project.has(`${COMPLETED}/0001-a.md`));
      assert.match((await project.harness('status')).text, /0001: Write 0001 \((0|1)\/3\)/);
    },
  },
];
