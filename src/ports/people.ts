import type { StoredEvent } from '../core/events/event.ts';
import type { AgentEvent } from '../core/model/agent-event.ts';
import type { ContextFileRole } from '../core/model/context-file.ts';
import type { ContextReader } from '../core/model/context-scope.ts';
import type { ArtifactRef } from '../core/model/facts.ts';
import type { State } from '../core/state/state.ts';
import type { Delivery } from './agent.ts';

/** Files under the state directory, written whole or not at all; only transcripts grow. */
export interface Artifacts {
  write(path: string, content: string | Uint8Array): Promise<ArtifactRef>;
  /** What was written, to the byte; null when it is gone or has been changed. */
  read(ref: ArtifactRef): Promise<string | null>;
  /** Rewrites the files that people and agents read, from what has been recorded. */
  project(snapshot: ProjectionInput): Promise<void>;
  /** Begins what a session leaves behind; it is on disk moments after it was heard. */
  openTranscript(path: string, session: number): Promise<Transcript>;
  /** Ends a transcript whose writer is gone; null when it never began one. */
  closeTranscript(path: string): Promise<ArtifactRef | null>;
}

export interface Transcript {
  /** Never throws: what cannot be written is told by `close`. */
  add(entry: TranscriptEntry): void;
  close(): Promise<ArtifactRef>;
}

/** Something said or done in a session, by the agent or to it. */
export interface TranscriptEntry {
  readonly atMs: number;
  readonly event:
    | AgentEvent
    | { readonly type: 'prompt'; readonly text: string }
    /** Words for an agent at work, once it is known what became of them. */
    | { readonly type: 'steer'; readonly text: string; readonly delivery: Delivery };
}

export interface ProjectionInput {
  readonly state: State;
  /** Appended since the last projection, oldest first. */
  readonly events: readonly StoredEvent[];
}

/** Tells the person what is going on; must never throw. */
export interface Reporter {
  /** What has been recorded, and the state after it where it is at hand: totals of the whole project are in no event. */
  event(stored: StoredEvent, state?: State): void;
  agent(task: string, event: AgentEvent): void;
  phase(task: string | null, text: string): void;
  /** A command has begun; the answer is told when it has ended. */
  command?(line: string): () => void;
  /** A line that it printed. */
  printed?(line: string): void;
  /** Something to know before it begins. */
  note?(text: string): void;
  /**
   * Speaks for one lane of several: `phase`, `agent`, `command` and `printed` are the lane's. Events are told to the
   * shared reporter only, and find their lane by worker and attempt. One lane alone never asks for it.
   */
  lane?(lane: number): Reporter;
}

/** A file that somebody left for a role. */
export interface ContextFile {
  /** Where it lies, as people know it. */
  readonly name: string;
  readonly role: ContextFileRole;
  readonly sha256: string;
  /** Null when it cannot be told; `problem` says why. */
  readonly text: string | null;
  readonly problem: string | null;
  /** For every task and every planner that it fits, instead of the next one alone. */
  readonly isLasting?: true;
}

/** What people leave for agents. Nothing in it is ever run. */
export interface ContextFiles {
  /** What lies there for these roles, oldest first. */
  list(roles: readonly ContextFileRole[], reader?: ContextReader | null): Promise<readonly ContextFile[]>;
  /** Puts it away, with what became of it; doing so twice has the effect of once. */
  archive(file: ContextFile, became: Readonly<Record<string, string | number | null>>): Promise<void>;
}
