import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../behaviour.ts';
import type { SeedProject } from '../stage.ts';

const HANGS = {
  'agent.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { hang: true }] }\n',
};

/** One run at a time, and a lock that a dead one leaves is nobody's. */
export const LOCK: readonly Row[] = [
  {
    id: 'A5.1',
    asked: 'a second session in the same project fails fast and names the holder',
    command: 'harness run beside a run',
    seen: 'exit 1 with the pid of the first',
    async show(stage) {
      const project = stage.project(HANGS);
      const first = await startRun(project);
      const second = await project.harness('run');
      first.kill('SIGKILL');
      assert.equal(second.code, 1, second.text);
      assert.match(second.text, new RegExp(`\\b${first.pid}\\b`));
    },
  },
  {
    id: 'A5.2',
    asked: 'the lock is the same from a sub-folder',
    command: 'harness run in src, beside a run',
    seen: 'exit 1',
    async show(stage) {
      const project = stage.project({ ...HANGS, 'src/keep.txt': 'x\n' });
      const first = await startRun(project);
      const second = await project.harnessIn({ cwd: 'src' }, 'run');
      first.kill('SIGKILL');
      assert.equal(second.code, 1, second.text);
    },
  },
  {
    id: 'A5.3',
    asked: 'a stale lock is taken over',
    command: 'harness run after kill -9',
    seen: 'the run begins, and a WARN line tells of the stale lock',
    async show(stage) {
      const project = stage.project(HANGS);
      const first = await startRun(project);
      const { pid } = first;
      first.kill('SIGKILL');
      await once(first, 'exit');
      project.commit({
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: x } }, { claim: done }] }\n',
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(project.log(), new RegExp(`WARN .*stale lock.*pid=${pid}`));
    },
  },
];

/** A run that has its agent at work. */
async function startRun(project: SeedProject) {
  const child = project.start(['run']);
  for (let left = 200; left > 0; left -= 1) {
    if (project.has('.harness/logs/harness-progress.txt') && /Starting \[1\]/.test(project.log()))
      return child;
    await sleep(50);
  }
  throw new Error('the run did not begin its first task');
}
