import type { StoredEvent } from '../../src/core/events/event.ts';
import type { SimGit } from './sim-git.ts';
import { isGreen } from './sim-project.ts';

/** In a row, of one task: whoever has collided twice lands alone. */
const MOST_COLLISIONS = 3;

/** What must hold of work that lands together with others'; everything is judged by what is in git and in the record. */
export function judgeQueue(events: readonly StoredEvent[], git: SimGit): string[] {
  return [
    ...judgeSlots(events),
    ...judgeEnds(events),
    ...judgeMembers(events, git),
    ...judgeCollisions(events),
    ...judgeSuites(git),
  ];
}

/** Whatever waits to land lands or is told why not. */
function judgeEnds(events: readonly StoredEvent[]): string[] {
  const waiting = new Set<string>();
  for (const { event } of events) {
    if (event.type === 'candidate.queued') waiting.add(event.task);
    if (event.type === 'task.landed' || event.type === 'attempt.ended') waiting.delete(event.task);
  }
  return [...waiting].map(task => `task ${task} was queued, and nothing became of it`);
}

/** A batch merges the very commits that were judged. */
function judgeMembers(events: readonly StoredEvent[], git: SimGit): string[] {
  const queued = new Set(
    events.flatMap(({ event }) => (event.type === 'candidate.queued' ? [event.commit] : [])),
  );
  return git
    .line(git.base)
    .flatMap(({ id, parents: [, ...members] }) =>
      members
        .filter(member => !queued.has(member))
        .map(member => `${id} merges ${member}, which nobody has queued`),
    );
}

/** No worktree is given to two attempts at once. */
function judgeSlots(events: readonly StoredEvent[]): string[] {
  const found: string[] = [];
  const slots = new Map<string, number>();
  for (const { event } of events) {
    if (event.type === 'attempt.started') {
      const other = [...slots].find(([, slot]) => slot === event.slot)?.[0];
      if (other !== undefined)
        found.push(`slot ${event.slot} was given to task ${event.task} beside ${other}`);
      slots.set(event.task, event.slot);
    }
    const isFree =
      event.type === 'candidate.queued' || event.type === 'attempt.ended' || event.type === 'task.landed';
    if (isFree) slots.delete(event.task);
  }
  return found;
}

/** Nobody collides for ever, and nobody is sent away who has broken nothing. */
function judgeCollisions(events: readonly StoredEvent[]): string[] {
  const found: string[] = [];
  const inARow = new Map<string, number>();
  for (const { event } of events) {
    if (event.type === 'task.landed') inARow.delete(event.task);
    if (event.type !== 'attempt.ended' || !event.collided) continue;
    const { task, findings } = event;
    const times = (inARow.get(task) ?? 0) + 1;
    inARow.set(task, times);
    if (times > MOST_COLLISIONS) found.push(`task ${task} collided ${times} times in a row`);
    for (const finding of findings) {
      const test = /^(test\/\S+) passes without this work/.exec(finding)?.[1];
      const pair = /^test\/pair-(\d+)-(\d+)$/.exec(test ?? '')?.slice(1);
      if (test && !pair?.includes(task))
        found.push(`task ${task} was ejected for ${test}, which it did not break`);
    }
  }
  return found;
}

/** Wherever the branch was, what two tasks have to agree about was agreed. */
function judgeSuites(git: SimGit): string[] {
  return git.line(git.base).flatMap(({ id, tree }) => {
    const files = JSON.parse(tree) as Record<string, string>;
    return Object.keys(files)
      .filter(path => path.startsWith('test/pair-') && !isGreen(files, path.slice('test/'.length)))
      .map(path => `${path} is red on ${id}, which is on the branch`);
  });
}
