import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import { fold } from '../core/events/fold.ts';
import type { Landing } from '../ports/index.ts';
import { findForeignLandings, refuseForeignLandings } from './find-foreign-landings.ts';

const RANGE = { from: 'c0', to: 'c1' };
const LANDING: Landing = { task: '27', attempt: 1, commit: 'c1', proof: 'p1', record: 'r1' };
const QUEUED: HarnessEvent = { type: 'candidate.queued', task: '27', attempt: 1, commit: 'c1' };

async function look(found: readonly Landing[], events: readonly HarnessEvent[] = [], isShared = true) {
  const store = createMemoryStore(
    () => 1,
    () => 'token',
  );
  if (events.length > 0) await store.append({ stream: 'project', expectedVersion: 0, events, atMs: 1 });
  const fetch = isShared ? { fetch: async () => [] } : {};
  return { store, workspace: { findLandings: async () => found, ...fetch } } as never;
}

describe('landings that the records do not know', () => {
  it('stop whoever meets them, with the task, its commit and what to set', async () => {
    const seen = await look([LANDING]);
    await expect(refuseForeignLandings(seen, fold([]), RANGE)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('task 27 (c1) landed just now'),
      details: { field: 'store.url', fix: expect.stringContaining('HARNESS_STORE_URL') },
    });
  });

  it.each<[string, readonly Landing[], readonly HarnessEvent[], boolean]>([
    ['another host recorded since the state was read', [LANDING], [QUEUED], true],
    ['that a person brought by hand, without a proof', [{ task: '27', attempt: 1, commit: 'c1' }], [], true],
    ['in a clone that shares nothing', [LANDING], [], false],
  ])('are none %s', async (_, found, events, isShared) => {
    expect(await findForeignLandings(await look(found, events, isShared), fold([]), RANGE)).toEqual([]);
  });

  it('are none with a proof whose record is known, wherever a person has put the commit', async () => {
    const proof = { path: 'proofs/p.json', sha256: '0', recordHash: 'r1' };
    const verdict = { word: 'proven', decidedBy: null, reason: 'it is', findings: [] } as const;
    const on = { base: 'b', tree: 't', checks: [] };
    const given: HarnessEvent = { type: 'verdict.given', task: '27', attempt: 1, verdict, ...on, proof };
    const seen = await look([{ ...LANDING, commit: 'picked' }], [given]);
    expect(await findForeignLandings(seen, fold([]), RANGE)).toEqual([]);
    const same = await look([{ ...LANDING, record: 'r2' }], [given]);
    expect(await findForeignLandings(same, fold([]), RANGE)).toHaveLength(1);
  });
});
