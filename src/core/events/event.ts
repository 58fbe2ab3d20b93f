import type { EventLevel } from '../model/facts.ts';
import { ATTEMPT_EVENTS, type AttemptEvent } from './attempt.ts';
import { CANDIDATE_EVENTS, type CandidateEvent } from './candidate.ts';
import { ENDING_EVENTS, type EndingEvent } from './ending.ts';
import { GATE_EVENTS, type GateEvent } from './gates.ts';
import type { EventKind, EventTable } from './kind.ts';
import { MERGE_QUEUE_EVENTS, type MergeQueueEvent } from './merge-queue.ts';
import { PEOPLE_EVENTS, type PeopleEvent } from './people.ts';
import { SESSION_EVENTS, type SessionEvent } from './session.ts';
import { SUITE_EVENTS, type SuiteEvent } from './suite.ts';
import { TASK_EVENTS, type TaskEvent } from './task.ts';
import { WORKER_EVENTS, type WorkerEvent } from './worker.ts';

/** Every durable fact, and nothing else is durable. State is fold(events). */
export type HarnessEvent =
  | TaskEvent
  | WorkerEvent
  | SuiteEvent
  | PeopleEvent
  | AttemptEvent
  | SessionEvent
  | CandidateEvent
  | MergeQueueEvent
  | GateEvent
  | EndingEvent;

export type EventType = HarnessEvent['type'];

/** The event of one type. */
export type EventOf<T extends EventType> = Extract<HarnessEvent, { readonly type: T }>;

/** An event as the store gives it back. */
export interface StoredEvent {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  readonly atMs: number;
  readonly event: HarnessEvent;
}

const EVENTS: EventTable<HarnessEvent> = {
  ...TASK_EVENTS,
  ...WORKER_EVENTS,
  ...SUITE_EVENTS,
  ...PEOPLE_EVENTS,
  ...ATTEMPT_EVENTS,
  ...SESSION_EVENTS,
  ...CANDIDATE_EVENTS,
  ...MERGE_QUEUE_EVENTS,
  ...GATE_EVENTS,
  ...ENDING_EVENTS,
};

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** What a later version wrote down: it changes nothing here, and is shown rather than missed. */
const UNKNOWN_KIND: EventKind<HarnessEvent> = { level: 'important' };

/** All that there is to know about an event of this kind. */
export function getEventKind(event: HarnessEvent): EventKind<HarnessEvent> {
  const kind = EVENTS[event.type] as EventKind<HarnessEvent> | undefined;
  return kind ?? UNKNOWN_KIND;
}

/** The level of an event: a pure property of what it says. */
export function getEventLevel(event: HarnessEvent): EventLevel {
  const { level } = getEventKind(event);
  return typeof level === 'function' ? level(event) : level;
}

/** One recorded fact as one line for people; null for facts that are only of use to the harness. */
export function getEventLine({ event }: StoredEvent): string | null {
  return getEventKind(event).line?.(event) ?? null;
}
