import type { HarnessEvent } from '../../src/core/events/event.ts';
import { type DemoResult, getDemoResult, isSoundNight } from '../count.ts';
import type { DemoRun } from '../play-run.ts';
import type { Stock } from '../take-stock.ts';

/** The last word of a night with several agents. */
export interface BusyResult extends DemoResult {
  readonly workers: number;
  /** Landings of the merge queue, each with one or more tasks. */
  readonly batches: number;
  /** Proven work that did not fit onto what had landed, by its text. */
  readonly conflicts: number;
  /** Proven work that fitted, and was red together with what had landed. */
  readonly semanticConflicts: number;
}

export function getBusyResult(stock: Stock, played: DemoRun, workers: number): BusyResult {
  const events = stock.events.map(({ event }) => event);
  const kinds = events.flatMap(event => getCollision(event) ?? []);
  return {
    ...getDemoResult(stock, played),
    workers,
    batches: events.filter(event => event.type === 'batch.ended' && event.commit !== null).length,
    conflicts: kinds.filter(kind => kind === 'text').length,
    semanticConflicts: kinds.filter(kind => kind === 'meaning').length,
  };
}

/** Whether both collisions were caught, besides all that any night has to bring. */
export function isBusyNightSound(result: BusyResult, played: DemoRun): boolean {
  return isSoundNight(result, played) && result.conflicts >= 1 && result.semanticConflicts >= 1;
}

/** How proven work collided with other work: on the same lines, or in what it means; null for any other event. */
export function getCollision(event: HarnessEvent): 'text' | 'meaning' | null {
  if (event.type !== 'attempt.ended' || !event.collided) return null;
  return event.reason.includes('conflicts') ? 'text' : 'meaning';
}
