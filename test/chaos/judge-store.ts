import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Project, withProject } from '../../src/app/project/open-project.ts';
import type { StoredEvent } from '../../src/core/events/event.ts';
import { fold } from '../../src/core/events/fold.ts';
import type { State } from '../../src/core/state/state.ts';
import { getIndexRow } from '../../src/core/views/index-rows.ts';
import type { Evidence, Violation } from './judge.ts';
import type { ChildResult } from './run-child.ts';
import { getTasks, getUserEnv, type Scene } from './scenes.ts';

/** What the record says of git. */
export interface GitRecord {
  /** The commits that each task is recorded to have landed as. */
  readonly landed: ReadonlyMap<string, readonly string[]>;
  /** Commits that the branch may have moved to. */
  readonly proven: ReadonlySet<string>;
  /** Attempts, as `task/number`, whose kept work has been let go of. */
  readonly dropped: ReadonlySet<string>;
}

/** The record: sound, complete, in one piece, and the same in every form it is kept in. */
export async function judgeStore(
  evidence: Pick<Evidence, 'dir' | 'results' | 'scene' | 'storeUrl'>,
): Promise<{ violations: Violation[]; record: GitRecord }> {
  const { dir, results, scene, storeUrl } = evidence;
  const stateDir = join(dir, 'p', '.harness');
  const violations: Violation[] = [];
  let events: readonly StoredEvent[] = [];
  try {
    const env = { ...getUserEnv(), ...(storeUrl === null ? {} : { HARNESS_STORE_URL: storeUrl }) };
    const seen = await withProject({ cwd: join(dir, 'p'), env }, readAll);
    const { leases, rows } = seen;
    events = seen.events;
    for (const lease of leases)
      violations.push({ kind: 'wedged', text: `${lease.resource} is still held by ${lease.owner}` });
    violations.push(
      ...judgeNumbers(events),
      ...judgeTwice(events),
      ...judgeAcknowledged(events, results),
      ...judgeLog(stateDir, events),
    );
    violations.push(...judgeState(fold(events), rows, scene));
  } catch (error) {
    violations.push({ kind: 'lost', text: `the store cannot be read: ${String(error)}` });
  }
  return { violations, record: getGitRecord(events) };
}

async function readAll(project: Project) {
  const store = await project.store({ quickCheck: true });
  const index = await project.readIndex();
  const rows = new Map(index.rows({ limit: 100 }).map(row => [row.id, JSON.stringify(row)]));
  index.close();
  return { events: await store.read({}), leases: await store.leases(), rows };
}

function getGitRecord(events: readonly StoredEvent[]): GitRecord {
  const landed = new Map<string, string[]>();
  const proven = new Set<string>();
  const checkpoints = new Map<string, string>();
  const dropped = new Set<string>();
  for (const { event } of events) {
    if (event.type === 'task.landed')
      landed.set(event.task, [...(landed.get(event.task) ?? []), event.commit]);
    if (event.type === 'task.landed' || event.type === 'batch.proven') proven.add(event.commit);
    if (event.type === 'attempt.prepared')
      checkpoints.set(event.checkpoint.id, `${event.task}/${event.attempt}`);
    if (event.type === 'checkpoints.pruned')
      for (const id of event.ids) dropped.add(checkpoints.get(id) ?? '');
  }
  return { landed, proven, dropped };
}

function judgeNumbers(events: readonly StoredEvent[]): Violation[] {
  const isWhole = events.every(({ seq, version }, at) => seq === at + 1 && version === at + 1);
  return isWhole ? [] : [{ kind: 'lost', text: 'the events are not numbered 1, 2, 3 …' }];
}

/** What a worker, an attempt or a batch does once is recorded once. */
function judgeTwice(events: readonly StoredEvent[]): Violation[] {
  const once =
    /^(worker\.(started|stopped)|attempt\.(started|ended)|batch\.(started|ended)|candidate\.queued|task\.landed)$/;
  const bodies = events
    .filter(({ event }) => once.test(event.type))
    .map(({ event }) => JSON.stringify(event));
  const twice = bodies.filter((body, at) => bodies.indexOf(body) !== at);
  return twice.map(body => ({ kind: 'doubled', text: `recorded twice: ${body.slice(0, 160)}` }));
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

function judgeState(state: State, rows: ReadonlyMap<string, string>, scene: Scene): Violation[] {
  const violations: Violation[] = [];
  if (state.active.size > 0) violations.push({ kind: 'wedged', text: 'an attempt is still under way' });
  for (const id of getTasks(scene)) {
    const status = state.tasks.get(id)?.status;
    if (status !== 'landed') violations.push({ kind: 'lost', text: `task ${id} is recorded as ${status}` });
    if (rows.get(id) !== JSON.stringify(getIndexRow(state, id)))
      violations.push({ kind: 'lost', text: `the index does not say of task ${id} what the events say` });
  }
  return violations;
}
