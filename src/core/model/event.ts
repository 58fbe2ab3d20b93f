import type { AttemptEvent } from './attempt-event.ts';
import type { ProjectEvent } from './project-event.ts';

/** Every durable fact, and nothing else is durable. State is fold(events). */
export type HarnessEvent = ProjectEvent | AttemptEvent;

/** An event as the store gives it back. */
export interface StoredEvent {
  readonly seq: number;
  readonly stream: string;
  readonly version: number;
  readonly atMs: number;
  readonly event: HarnessEvent;
}
