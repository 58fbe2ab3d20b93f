import { getCount } from '../../../core/base/text.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import { getReservedUsd } from '../../../core/state/costs.ts';
import { getQueued } from '../../../core/state/merge-queue.ts';
import type { State } from '../../../core/state/state.ts';
import { getClock } from '../clock.ts';
import type { EventWorker } from './event-workers.ts';
import { Lane, type LaneRow } from './lane.ts';

/** What all lanes do at a moment, and what has come of it. */
export interface BoardView {
  readonly lanes: readonly LaneRow[];
  /** The merge queue in words; null while there is none. */
  readonly queue: string | null;
  readonly totals: Totals;
}

export interface Totals {
  /** Since this run began. */
  readonly landed: number;
  readonly rejected: number;
  /** Open questions of the project; null where nobody has said, as with what it has cost. */
  readonly waiting: number | null;
  readonly spentUsd: number | null;
  /** Of what is left, by sessions under way. */
  readonly reservedUsd: number;
  /** Null without a limit. */
  readonly budgetUsd: number | null;
}

/** Keeps what several lanes do. It draws nothing. */
export class Board {
  readonly #lanes = new Map<number, Lane>();
  readonly #nowMs: () => number;
  #queue: string | null = null;
  #totals: Totals = {
    ...{ landed: 0, rejected: 0, waiting: null },
    ...{ spentUsd: null, reservedUsd: 0, budgetUsd: null },
  };

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** 0 is what all of them have in common. */
  getLane(lane: number): Lane {
    const known = this.#lanes.get(lane);
    if (known) return known;
    const added = new Lane(lane, this.#nowMs);
    this.#lanes.set(lane, added);
    return added;
  }

  /** What has been recorded, by whom, and the state after it where it is at hand. */
  note(event: HarnessEvent, by: EventWorker | null, state?: State): void {
    if (by?.lane !== undefined) this.getLane(by.lane).note(event);
    if (state) this.#queue = getQueueText(state);
    const { landed, rejected } = this.#totals;
    this.#totals = {
      ...this.#totals,
      landed: landed + Number(event.type === 'task.landed'),
      rejected: rejected + Number(event.type === 'attempt.ended' && event.outcome === 'rejected'),
      ...(state ? getProjectTotals(state) : {}),
    };
  }

  /** Null while no lane is there: then somebody else may have the screen. */
  getView(): BoardView | null {
    const lanes = [...this.#lanes.values()].filter(({ workers }) => workers.size > 0);
    if (lanes.length === 0) return null;
    const shared = this.#lanes.get(0);
    const shown = shared?.isRunning() ? [...lanes, shared] : lanes;
    const rows = shown.sort((a, b) => a.lane - b.lane).map(lane => lane.getRow());
    return { lanes: rows, queue: this.#queue, totals: this.#totals };
  }

  /** What is under way, for whoever stops it; null when nothing is. */
  getRunning(): string | null {
    const under = (this.getView()?.lanes ?? []).filter(({ elapsedMs }) => elapsedMs !== null);
    const named = under
      .slice(0, MAX_NAMED)
      .map(({ task, phase, elapsedMs }) => `task ${task} (${phase || 'begun'}, ${getClock(elapsedMs ?? 0)})`);
    const left = under.length - named.length;
    const all = [...named, ...(left > 0 ? [getCount(left, 'other')] : [])];
    if (all.length < 2) return all[0] === undefined ? null : `${all[0]} was running`;
    return `${all.slice(0, -1).join(', ')} and ${all.at(-1)} were running`;
  }
}

const MAX_NAMED = 4;

/** What waits to land, in its order, and what is being landed; null while nothing is. */
function getQueueText(state: State): string | null {
  const { batch } = state.queue;
  const landing = new Set(batch?.members.map(({ task }) => task));
  const waiting = getQueued(state).filter(({ task }) => !landing.has(task));
  const ids = waiting.map(({ task }) => task).join(', ');
  const parts = [
    ...(waiting.length > 0 ? [`queue ${waiting.length} (${ids})`] : []),
    ...(batch ? [`batch ${batch.number} (${[...landing].join(', ')})`] : []),
  ];
  return parts.length > 0 ? parts.join('  ') : null;
}

/** What only the whole record tells: other processes and earlier runs spend from the same budget, and people answer elsewhere. */
function getProjectTotals(state: State): Pick<Totals, 'waiting' | 'spentUsd' | 'budgetUsd' | 'reservedUsd'> {
  const { people, costs } = state;
  const budgetUsd = Math.max(costs.budgetUsd ?? Number.POSITIVE_INFINITY, people.raisedToUsd);
  return {
    waiting: people.questions.size,
    spentUsd: costs.usage.costUsd,
    reservedUsd: getReservedUsd(state),
    budgetUsd: Number.isFinite(budgetUsd) ? budgetUsd : null,
  };
}
