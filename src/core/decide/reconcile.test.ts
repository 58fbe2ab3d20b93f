import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, SCOPE, synced, upTo, WORKER, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { getTaskResource, type World } from '../model/world.ts';
import { decide } from './decide.ts';
import { reconcile } from './recovery.ts';

const OTHER = { ...WORKER, id: 'w2' };
const BACKLOG = synced([makeTask('1'), makeTask('2')]);
const started: HarnessEvent = { type: 'worker.started', worker: OTHER, version: '0' };
const foreign = foldAll(BACKLOG, started, upTo('ready', '1', { worker: OTHER.id }));

function see(alive: 'alive' | 'dead' | 'unknown', expiresAtMs: number | null): World {
  const lease = { resource: getTaskResource('1'), owner: OTHER.id, fence: 7, expiresAtMs: expiresAtMs ?? 0 };
  return { ...WORLD, workers: new Map([[OTHER.id, alive]]), leases: expiresAtMs === null ? [] : [lease] };
}

describe("another worker's attempt", () => {
  it.each<[string, World, number | null]>([
    ['its worker is dead, whatever its lease says', see('dead', 9_000), 7],
    ['its lease ran out', see('alive', 1_000), null],
    ['its lease ran out, on another host', see('unknown', 500), null],
    ['its lease was given up', see('unknown', null), null],
  ])('is adopted when %s', (_, world, fence) => {
    expect(reconcile(foreign, world)).toMatchObject({ type: 'adopt', task: '1', fence });
  });

  it.each<[string, World]>([
    ['its worker lives and holds its lease', see('alive', 9_000)],
    ['nobody can tell, but the lease still runs', see('unknown', 1_001)],
  ])('is left alone while %s', (_, world) => {
    expect(reconcile(foreign, world)).toBeNull();
  });

  it('is adopted when its worker has said that it stopped', () => {
    const stopped = foldAll(BACKLOG, started, upTo('ready', '1', { worker: OTHER.id }), {
      type: 'worker.stopped',
      workerId: OTHER.id,
      reason: 'interrupted',
    });
    expect(reconcile(stopped, see('alive', 9_000))).toMatchObject({ type: 'adopt', task: '1', fence: 7 });
  });

  it('is adopted before anything else is done', () => {
    const world = { ...see('dead', 9_000), backlogBlob: 'new', stopRequested: true };
    expect(decide(foreign, world, simPolicy, SCOPE)).toMatchObject({ type: 'adopt' });
  });

  it('is waited for when there is nothing else to do', () => {
    const alone = foldAll(synced([makeTask('1')]), started, upTo('ready', '1', { worker: OTHER.id }));
    expect(decide(alone, see('alive', 9_000), simPolicy, SCOPE)).toMatchObject({ type: 'wait' });
    const only = { ...SCOPE, onlyTask: '1' };
    expect(decide(alone, see('alive', 9_000), simPolicy, only)).toMatchObject({ why: 'nothing-ready' });
  });

  it('does not keep this worker from other tasks', () => {
    expect(decide(foreign, see('alive', 9_000), simPolicy, SCOPE)).toEqual({ type: 'lease', task: '2' });
  });
});

describe("this worker's own attempt", () => {
  it('is never adopted by itself', () => {
    expect(reconcile(foldAll(BACKLOG, upTo('ready', '1')), WORLD)).toBeNull();
  });
});

describe('the backlog', () => {
  it.each([
    ['has changed', 'b1', { type: 'sync' }],
    ['is gone', 'missing', { type: 'sync' }],
    ['is as it was', 'b0', null],
  ])('%s', (_, backlogBlob, action) => {
    expect(reconcile(foldAll(BACKLOG), { ...WORLD, backlogBlob })).toEqual(action);
  });

  it('is read in the very first turn', () => {
    expect(reconcile(foldAll(), WORLD)).toEqual({ type: 'sync' });
  });
});
