import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTempDir } from '../../test/support/real-processes.ts';
import { createStepBench } from '../../test/support/step-bench.ts';
import { createContextFiles } from '../adapters/context-files/context-files.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import { takeContextFiles } from './context-files.ts';

const makeDir = useTempDir();
const FILES = ['a.md', 'b.md', 'c.md'];

/** Dies at the n-th call, before it or after it was done. */
function createKiller(at: number, isAfter: boolean) {
  let calls = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const isNow = ++calls === at;
    if (isNow && !isAfter) throw new Error('killed');
    const result = await call();
    if (isNow) throw new Error('killed');
    return result;
  };
}

it('every file is told once and put away, wherever the harness is killed in between', async () => {
  let kills = 0;
  for (let at = 1; at <= 8; at++) {
    for (const isAfter of [false, true]) {
      const inbox = join(makeDir(), 'inbox');
      mkdirSync(inbox);
      for (const name of FILES) writeFileSync(join(inbox, name), `say ${name}`);
      const bench = await createStepBench();
      await bench.walkTo('ready');
      const contextFiles = createContextFiles({ inbox, contextDir: null });
      const kill = createKiller(at, isAfter);
      const take = (risk: typeof kill) => {
        const task = bench.journal.state.tasks.get('1');
        const attempt = bench.journal.state.active.get('1');
        if (!task || !attempt) throw new Error('nothing under way');
        const ports = {
          ...bench.ports,
          contextFiles: {
            list: (roles: Parameters<typeof contextFiles.list>[0]) => risk(() => contextFiles.list(roles)),
            archive: (...given: Parameters<typeof contextFiles.archive>) =>
              risk(() => contextFiles.archive(...given)),
          },
        };
        const record = (events: readonly HarnessEvent[]) => risk(() => bench.ctx.record(events));
        return takeContextFiles({ ...bench.ctx, state: bench.journal.state, ports, record }, 'coding', {
          task,
          attempt,
        });
      };
      await take(kill).catch(() => kills++);
      await take(call => call());
      const told = bench.journal.state.tasks.get('1')?.people.contextFiles.map(({ text }) => text);
      expect([...(told ?? [])].sort()).toEqual(FILES.map(name => `say ${name}`));
      expect(readdirSync(inbox)).toEqual(['processed']);
      expect(readdirSync(join(inbox, 'processed'))).toHaveLength(2 * FILES.length);
    }
  }
  expect(kills).toBe(14);
});
