import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import type { StoredEvent } from '../../src/core/events/event.ts';
import { fold } from '../../src/core/events/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { getIndexRow } from '../../src/core/views/index-rows.ts';
import type { Violation } from './judge.ts';
import type { ChildResult } from './run-child.ts';
import { getTasks, type Scene } from './scenes.ts';

/** The record: sound, complete, in one piece, and the same in every form it is kept in. */
export async function judgeStore(
  stateDir: string,
  { results, scene }: { readonly results: readonly ChildResult[]; readonly scene: Scene },
): Promise<{ violations: Violation[]; landed: ReadonlyMap<string, string> }> {
  const violations: Violation[] = [];
  const landed = new Map<string, string>();
  try {
    const store = await openStore({ stateDir, quickCheck: true });
    const events = await store.read({});
    const leases = await store.leases();
    await store.close();
    for (const lease of leases) violations.push({ kind: 'wedged', text: `${lease.resource} is still held` });
    violations.push(
      ...judgeNumbers(events),
      ...judgeAcknowledged(events, results),
      ...judgeLog(stateDir, events),
    );
    const state = fold(events);
    violations.push(...judgeState(stateDir, state, scene));
    for (const { event } of events) if (event.type === 'task.landed') landed.set(event.task, event.commit);
  } catch (error) {
    violations.push({ kind: 'lost', text: `the store cannot be read: ${String(error)}` });
  }
  return { violations, landed };
}

function judgeNumbers(events: readonly StoredEvent[]): Violation[] {
  const isWhole = events.every(({ seq, version }, at) => seq === at + 1 && version === at + 1);
  return isWhole ? [] : [{ kind: 'lost', text: 'the events are not numbered 1, 2, 3 …' }];
}

/** What a run printed as recorded, before it was killed, is in the store, word for word. */
function judgeAcknowledged(events: readonly StoredEvent[], results: readonly ChildResult[]): Violation[] {
  const stored = new Map(events.map(({ seq, atMs, event }) => [seq, { seq, atMs, ...event }]));
  const told = results
    .flatMap(result => result.output.split('\n'))
    .filter(line => /^\{"seq":\d+,.*\}$/.test(line));
  return told
    .filter(line => {
      const said = JSON.parse(line) as { readonly seq: number; readonly [more: string]: unknown };
      const own = stored.get(said.seq);
      // Which lane it was is told beside it.
      return (
        !own ||
        Object.entries(own).some(([key, value]) => JSON.stringify(said[key]) !== JSON.stringify(value))
      );
    })
    .map(line => ({ kind: 'lost', text: `a recorded fact is gone: ${line.slice(0, 160)}` }));
}

function judgeLog(stateDir: string, events: readonly StoredEvent[]): Violation[] {
  const lines = readFileSync(join(stateDir, 'logs', 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const seqs = lines.map(line => (JSON.parse(line) as { seq: number }).seq);
  if (new Set(seqs).size < seqs.length)
    return [{ kind: 'doubled', text: 'events.jsonl tells an event twice' }];
  return seqs.length === events.length ? [] : [{ kind: 'lost', text: 'events.jsonl lacks events' }];
}

function judgeState(stateDir: string, state: State, scene: Scene): Violation[] {
  const violations: Violation[] = [];
  if (state.active.size > 0) violations.push({ kind: 'wedged', text: 'an attempt is still under way' });
  const index = openQuickIndex(stateDir);
  const rows = new Map(index?.rows({ limit: 100 }).map(row => [row.id, JSON.stringify(row)]));
  index?.close();
  for (const id of getTasks(scene)) {
    const status = state.tasks.get(id)?.status;
    if (status !== 'landed') violations.push({ kind: 'lost', text: `task ${id} is recorded as ${status}` });
    if (rows.get(id) !== JSON.stringify(getIndexRow(state, id)))
      violations.push({ kind: 'lost', text: `the index does not say of task ${id} what the events say` });
  }
  return violations;
}
