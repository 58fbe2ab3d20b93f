import type { AgentEvent } from '../core/agent-event.ts';
import type { ArtifactRef, StoredEvent } from '../core/event.ts';
import type { State } from '../core/state.ts';

/** Files under the state directory, written whole or not at all. */
export interface Artifacts {
  write(path: string, content: string): Promise<ArtifactRef>;
  /** Rewrites the files that people and agents read, from what has been recorded. */
  project(snapshot: ProjectionInput): Promise<void>;
}

export interface ProjectionInput {
  readonly state: State;
  /** Appended since the last projection, oldest first. */
  readonly events: readonly StoredEvent[];
  /** Agent events of the session that has just ended. */
  readonly actions: readonly {
    readonly atMs: number;
    readonly session: number;
    readonly event: AgentEvent;
  }[];
}

/** Tells the person what is going on; must never throw. */
export interface Reporter {
  event(stored: StoredEvent): void;
  agent(task: string, event: AgentEvent): void;
  phase(task: string | null, text: string): void;
}
