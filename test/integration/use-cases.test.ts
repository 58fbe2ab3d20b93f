import { describe, expect, it } from 'vitest';
import { getOwnProcess } from '../../src/adapters/process/own-process.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { readLog } from '../../src/app/look/log.ts';
import { readQuickView } from '../../src/app/look/read-quick.ts';
import { readNext, readStatus } from '../../src/app/look/read-status.ts';
import { readHealth, readReport } from '../../src/app/look/reports.ts';
import { controlRuns } from '../../src/app/people/control.ts';
import { resetTasks, skipTask } from '../../src/app/people/decisions.ts';
import { handOff } from '../../src/app/people/hand-over.ts';
import { readInbox } from '../../src/app/people/questions.ts';
import { openCheckout } from '../../src/app/project/open-checkout.ts';
import { openProject, type Project } from '../../src/app/project/open-project.ts';
import { renderStatus } from '../../src/cli/render/status-text.ts';
import { createStyle } from '../../src/cli/terminal/style.ts';
import type { WorkerRef } from '../../src/core/model/facts.ts';
import { Journal } from '../../src/loop/journal.ts';
import { makeProject } from '../support/cli.ts';
import { SHELL_ENV } from '../support/git-fixture.ts';
import { upTo } from '../support/pipeline.ts';

/** What a server, a chat or a test does instead of a terminal: open, call, close. */
async function withProject(act: (project: Project, dir: string) => Promise<void>): Promise<void> {
  const dir = makeProject();
  const project = await openProject({ cwd: dir, env: SHELL_ENV });
  try {
    await act(project, dir);
  } finally {
    await project.close();
  }
}

function readSummary({ stateDir }: Project) {
  const index = openQuickIndex(stateDir);
  const summary = JSON.parse(index?.view().summary ?? '{}');
  index?.close();
  return summary;
}

describe('a use case without a terminal', () => {
  it('counts what was recorded, though whoever recorded it was killed before it could count', () =>
    withProject(async (project, dir) => {
      await skipTask(project, { task: '2', reason: 'later', by: 'Ada' });
      const right = await readStatus(project, { all: true });
      const store = await project.store();
      const version = (await store.read({})).length;
      // As it is left between an event and the summary that counts it.
      const summary = readSummary(project);
      const old = { ...summary, seq: version - 1, counts: { ...summary.counts, blocked: 0 } };
      const index = { rows: [], removed: [], summary: JSON.stringify(old) };
      await store.append({ stream: 'project', expectedVersion: version, events: [], atMs: 0, index });
      expect(readQuickView({ cwd: dir, env: SHELL_ENV }, () => 'answered')).toBe(null);
      expect(await readStatus(project, { all: true })).toEqual(right);
      expect(readQuickView({ cwd: dir, env: SHELL_ENV }, () => 'answered')).toBe('answered');
    }));

  it('names every worker at work: lanes of this process, of another one, and of another machine', () =>
    withProject(async project => {
      await readStatus(project, {});
      const here = getOwnProcess();
      const workers: readonly WorkerRef[] = [
        { ...here, id: 'a', lane: 1 },
        { ...here, id: 'b', lane: 2, pid: 1, startTicks: 'long ago' },
        { ...here, id: 'c', host: 'm-there' },
      ];
      const journal = new Journal(await project.store(), async () => undefined);
      await journal.refresh();
      await journal.record(workers.map(worker => ({ type: 'worker.started', worker, version: '0' })));
      await journal.record([
        ...upTo('in-session', '1', { worker: 'a' }),
        ...upTo('leased', '2', { worker: 'b', session: 2 }),
        ...upTo('ready', '3', { worker: 'c', session: 3 }),
      ]);
      const status = await readStatus(project, {});
      const common = { attempt: 1, startedAtMs: expect.any(Number) };
      expect(status.active).toMatchObject([
        { ...common, task: '1', stage: 'in-session', lane: 1, host: here.host, life: 'alive' },
        { ...common, task: '2', stage: 'leased', lane: 2, pid: 1, life: 'gone' },
        { ...common, task: '3', stage: 'ready', lane: null, host: 'm-there', life: 'unknown' },
      ]);
      const text = renderStatus(status, createStyle(false));
      expect(text).toMatch(/Active: +task 1, attempt 1: in-session, since [\d :-]+ UTC \(lane 1, pid \d+\)/);
      expect(text).toMatch(/Active: +task 2, .*\(its worker, lane 2, pid 1, is gone\)/);
      expect(text).toMatch(/Active: +task 3, .* \(pid \d+ on m-there\)/);
    }));

  it('gives a result that survives JSON', () =>
    withProject(async project => {
      const results = [
        await skipTask(project, { task: '2', reason: 'later', by: 'Ada' }),
        await readStatus(project, { all: true }),
        await readNext(project),
        await readInbox(project),
        await readHealth(project),
        await readReport(project, { fromMs: 0 }),
        await handOff(project, { task: '1', by: 'Ada' }),
        await controlRuns(project, { mode: 'paused', by: 'Ada' }),
        await resetTasks(project, { tasks: ['2'] }),
      ];
      expect(JSON.parse(JSON.stringify(results))).toEqual(results);
    }));

  it('sees what another one has recorded', () =>
    withProject(async project => {
      expect(await skipTask(project, { task: '1', reason: 'later' })).toMatchObject({ recorded: true });
      expect(await skipTask(project, { task: '1', reason: 'later' })).toMatchObject({ recorded: false });
      expect((await readStatus(project, {})).counts).toMatchObject({ blocked: 3 });
      expect(await resetTasks(project, { tasks: [], all: true })).toEqual({ reset: ['1'] });
      expect((await readNext(project)).next).toMatchObject({ id: '1' });
    }));

  it('refuses with an error that names the field and the fix', () =>
    withProject(async project => {
      await expect(skipTask(project, { task: '1' })).rejects.toMatchObject({
        code: 'usage',
        details: { field: '--reason', fix: expect.stringContaining('harness skip 1') },
      });
    }));

  it('reads the log entry by entry, and ends where it is told to', () =>
    withProject(async (project, dir) => {
      await skipTask(project, { task: '1', reason: 'later' });
      const checkout = await openCheckout({ cwd: dir, env: SHELL_ENV });
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const { stored } of readLog(
        checkout,
        { types: ['task.blocked', 'task.reset'] },
        stop.signal,
      )) {
        seen.push(stored.event.type);
        if (stored.event.type === 'task.blocked') await resetTasks(project, { tasks: ['1'] });
        else stop.abort();
      }
      await checkout.close();
      expect(seen).toEqual(['task.blocked', 'task.reset']);
    }));
});
