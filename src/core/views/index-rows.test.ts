import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { failing, foldAll, landing, synced, upTo, WORKER } from '../../../test/support/pipeline.ts';
import type { State } from '../state/state.ts';
import { getIndexRow, getSummary, type TaskLine } from './index-rows.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2', ['1'])]);

function getLine(state: State, id: string): TaskLine {
  return JSON.parse(getIndexRow(state, id)?.data ?? 'null') as TaskLine;
}

describe('getIndexRow', () => {
  it('has a rank only while the task can be taken', () => {
    const state = foldAll(BACKLOG);
    expect(getIndexRow(state, '1')).toMatchObject({
      id: '1',
      status: 'pending',
      readyRank: expect.any(String),
    });
    expect(getIndexRow(state, '2')?.readyRank).toBeNull();
    expect(getIndexRow(foldAll(BACKLOG, upTo('ready', '1')), '1')?.readyRank).toBeNull();
    expect(getIndexRow(foldAll(BACKLOG, landing('1')), '2')?.readyRank).not.toBeNull();
  });

  it('tells why the last attempt did not land, and nothing of the kind once it has', () => {
    const failed = foldAll(BACKLOG, failing('1', 'rejected'));
    expect(getLine(failed, '1')).toMatchObject({ lastReason: 'it was rejected', attempts: 1, commit: null });
    const landed = foldAll(BACKLOG, failing('1', 'rejected'), landing('1', { attempt: 2 }));
    expect(getLine(landed, '1')).toMatchObject({ lastReason: null, commit: 'landed-1' });
  });

  it('says that a task waits for one that will not come', () => {
    expect(getLine(foldAll(BACKLOG, failing('1', 'needs-human')), '2').blocked).toBe(true);
    expect(getLine(foldAll(BACKLOG), '2').blocked).toBe(false);
  });

  it('is null for a task that is gone or never was', () => {
    expect(getIndexRow(foldAll(BACKLOG, synced([], { removed: ['1'] })), '1')).toBeNull();
    expect(getIndexRow(foldAll(BACKLOG), '9')).toBeNull();
  });
});

describe('getSummary', () => {
  it('is the project at a glance', () => {
    const started = { type: 'worker.started', worker: WORKER, version: '0' } as const;
    const measured = {
      type: 'baseline.measured',
      tree: 't',
      command: 'npm test',
      passing: ['a', 'b'],
      failing: ['c'],
    } as const;
    const state = foldAll(BACKLOG, started, measured, landing('1'), upTo('ready', '2', { session: 2 }));
    expect(getSummary(state, 3)).toMatchObject({
      project: 'demo',
      counts: { landed: 1, active: 1, pending: 0 },
      blockedByDependency: 3,
      sessions: 2,
      active: [{ task: '2', attempt: 1, stage: 'ready', worker: 'w1', process: { pid: WORKER.pid } }],
      lastSession: { session: 1, task: '1', outcome: 'landed' },
      baseline: { passing: 2, failing: 1, session: 0 },
      backlogCommit: 'c0',
    });
  });

  it('is there before anything has happened, and survives the way to disk', () => {
    const summary = getSummary(foldAll(), 0);
    expect(summary).toMatchObject({ lastSession: null, baseline: null, backlogCommit: null, costUsd: 0 });
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
  });
});
