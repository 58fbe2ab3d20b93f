import type { HarnessEvent } from '../src/core/events/event.ts';
import type { DemoRun } from './play-run.ts';
import type { Stock } from './take-stock.ts';

/** The demo's last word, in this order. */
export interface DemoResult {
  readonly tasks: number;
  readonly landed: number;
  readonly claims: number;
  readonly falseClaimsCaught: number;
  readonly kills: number;
  readonly lost: number;
  readonly doubled: number;
  readonly orphans: number | null;
}

/** Counts what is there: a task has landed when its commit is on the branch and all tests pass there. */
export function getDemoResult(stock: Stock, played: DemoRun): DemoResult {
  const { events, taskIds, landings } = stock;
  const recorded = new Set(events.flatMap(({ event }) => (event.type === 'task.landed' ? [event.task] : [])));
  const isSound = stock.testsPass && stock.testsUntouched;
  return {
    tasks: taskIds.length,
    landed: isSound ? taskIds.filter(id => landings.has(id)).length : 0,
    claims: events.filter(({ event }) => event.type === 'session.ended' && event.outcome === 'claimed')
      .length,
    falseClaimsCaught: countFalseClaims(events.map(({ event }) => event)),
    kills: played.kills,
    lost: new Set([...recorded, ...landings.keys()].filter(id => !(recorded.has(id) && landings.has(id))))
      .size,
    doubled: [...landings.values()].filter(commits => commits.length > 1).length,
    orphans: stock.orphans,
  };
}

/** Whether the night went as it has to go, every night. */
export function isSoundNight(result: DemoResult, played: DemoRun): boolean {
  const { tasks, landed, falseClaimsCaught, kills, lost, doubled, orphans } = result;
  const isWhole = tasks > 0 && landed === tasks && lost + doubled + (orphans ?? 0) === 0;
  return isWhole && falseClaimsCaught >= 3 && kills >= 1 && played.exitCode === 0;
}

/** What a killed session left is judged as well, but nobody had claimed anything about it. */
function countFalseClaims(events: readonly HarnessEvent[]): number {
  let caught = 0;
  const isClaim = new Map<string, boolean>();
  for (const event of events) {
    if (event.type === 'candidate.taken') isClaim.set(event.task, event.left === undefined);
    if (event.type === 'verdict.given' && event.verdict.word === 'rejected' && isClaim.get(event.task))
      caught++;
  }
  return caught;
}
