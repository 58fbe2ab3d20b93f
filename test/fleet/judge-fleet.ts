import { join } from 'node:path';
import { withProject } from '../../src/app/project/open-project.ts';
import { openJournal } from '../../src/app/project/open-record.ts';
import { auditProject } from '../../src/app/prove/audit.ts';
import type { StoredEvent } from '../../src/core/events/event.ts';
import type { State } from '../../src/core/state/state.ts';
import { getKind } from './cast.ts';
import { type FleetProject, git } from './project.ts';

/** What came of it, from the record and from the remote alone. */
export interface FleetVerdict {
  readonly landed: number;
  readonly escalated: number;
  readonly unjustified: readonly string[];
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly unprovenOnBase: readonly string[];
  readonly overspentUsd: number;
  readonly collisions: number;
  readonly verificationsPerLanding: number;
  readonly isSound: boolean;
}

export interface Look {
  readonly state: State;
  readonly events: readonly StoredEvent[];
}

export async function readRecord(project: FleetProject, env: NodeJS.ProcessEnv): Promise<Look> {
  return withProject({ cwd: join(project.dir, 'watcher'), env }, async opened => {
    const { state } = await openJournal(opened);
    return { state, events: await (await opened.store()).read({}) };
  });
}

/** Every task has landed or waits for a person, and nobody is at work. */
export function isAtRest({ state }: Look, tasks: number): boolean {
  const { landed, blocked, failed } = state.counts;
  return landed + blocked + failed === tasks && state.active.size === 0;
}

export async function judgeFleet(
  project: FleetProject,
  env: NodeJS.ProcessEnv,
  byHand: number,
): Promise<FleetVerdict> {
  const look = await readRecord(project, env);
  const { state, events } = look;
  const watcher = join(project.dir, 'watcher');
  git(watcher, 'fetch', '-q', 'origin');
  const log = git(watcher, 'log', '--format=%H%x00%B%x01', 'origin/main').split('\x01\n').filter(Boolean);
  const commits = new Map(log.map(one => one.split('\0') as [string, string]));
  const inGit = [...commits.values()].flatMap(text => /^Harness-Task: (\S+)$/m.exec(text)?.[1] ?? []);
  // Clean-ups are no tasks of anybody's.
  const all = [...state.tasks.values()].filter(({ def }) => def.kind === undefined);
  const landed = all.filter(({ status }) => status === 'landed').map(({ def }) => def.id);
  const open = all.filter(({ status }) => status !== 'landed').map(({ def }) => def.id);
  const people = [...commits.values()].filter(text => text.startsWith('By hand')).length;
  const { sound } = await withProject({ cwd: watcher, env }, opened => auditProject(opened));
  const suites = events.reduce(
    (sum, { event }) => sum + (event.type === 'batch.proven' ? event.suites : 0),
    0,
  );
  return {
    landed: landed.length,
    escalated: open.length,
    unjustified: open.filter(id => getKind(Number(id)) !== 'never'),
    lost: [
      ...landed.filter(id => !inGit.includes(id)),
      ...Array(Math.max(0, byHand - people)).fill('by hand'),
    ],
    doubled: inGit.filter((id, at) => inGit.indexOf(id) !== at),
    unprovenOnBase: findUnproven(watcher, events, commits),
    overspentUsd: getOverspent(events),
    collisions: events.filter(({ event }) => event.type === 'attempt.ended' && event.collided).length,
    verificationsPerLanding: Math.round((100 * suites) / Math.max(1, landed.length)) / 100,
    isSound: sound,
  };
}

/** The branch as it moved, commit by commit: a person's, a proven one, or a batch that was proven as a whole. */
function findUnproven(
  dir: string,
  events: readonly StoredEvent[],
  commits: ReadonlyMap<string, string>,
): readonly string[] {
  const line = git(dir, 'rev-list', '--first-parent', 'origin/main').trim().split('\n').slice(0, -1);
  const proven = new Set(
    events.flatMap(({ event }) => {
      if (event.type === 'batch.proven') return [event.commit];
      return event.type === 'task.landed' ? [event.commit] : [];
    }),
  );
  return line.filter(id => !proven.has(id) && !commits.get(id)?.startsWith('By hand'));
}

const CAP_USD = 1;
/** One turn of the made-up agent. */
const TURN_USD = 0.02;

/** What any session spent beyond its cap and a turn. */
function getOverspent(events: readonly StoredEvent[]): number {
  const spent = new Map<string, number>();
  for (const { event } of events)
    if (event.type === 'session.spent') {
      const key = `${event.task} ${event.attempt}`;
      spent.set(key, (spent.get(key) ?? 0) + event.usage.costUsd);
    }
  return [...spent.values()].reduce((sum, usd) => sum + Math.max(0, usd - CAP_USD - TURN_USD), 0);
}
