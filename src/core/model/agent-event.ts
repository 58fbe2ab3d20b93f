import type { Usage } from './usage.ts';

/** What an agent does, as it does it, in the same words for every provider. */
export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file';
      readonly action: 'read' | 'write' | 'delete';
      readonly path: string;
      /** Seen from outside; the agent said nothing of it. */
      readonly inferred?: true;
    }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly exitCode: number | null;
      readonly output: string;
      readonly inferred?: true;
    }
  | { readonly type: 'decision'; readonly text: string }
  /** A step of the task that it says is finished. */
  | ({ readonly type: 'checkpoint' } & ReachedStep)
  /** What it says of its own test runs; nothing follows from it. */
  | { readonly type: 'verify'; readonly what: 'start' | 'pass' | 'fail'; readonly text: string }
  /** What it says it has looked at: a screenshot by its path, or what is to be seen. */
  | { readonly type: 'visual'; readonly what: 'screenshot' | 'verify'; readonly text: string }
  | {
      readonly type: 'usage';
      /** What was used since the last of these. */
      readonly usage: Usage;
      /** How full the context is now, where the provider tells it apart. */
      readonly contextTokens?: number;
    }
  | { readonly type: 'error'; readonly kind: AgentErrorKind; readonly message: string }
  /** What we have to say about its last command; nothing was kept from running. */
  | {
      readonly type: 'advice';
      readonly rule: string;
      readonly message: string;
      readonly command: string;
    };

/** A provider's failure, in our words. */
export type AgentErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'auth'
  | 'quota'
  | 'timeout'
  | 'malformed'
  | 'network'
  | 'context'
  | 'bad_request'
  | 'max_turns'
  | 'budget'
  | 'cancelled'
  | 'crash'
  /** Its program never began. */
  | 'start'
  | 'unknown';

/** What an agent said through the harness's own tools, once checked for form. */
export type ToolEntry =
  | ({ readonly type: 'checkpoint' } & ReachedStep)
  | { readonly type: 'decision'; readonly text: string }
  | ({ readonly type: 'question' } & Question)
  | ({ readonly type: 'handoff' } & SessionNote)
  | { readonly type: 'claim'; readonly summary: string };

/** A part of a task, by its number among those that the agent sees. */
export interface ReachedStep {
  readonly step: number;
  readonly total: number;
  readonly description: string;
}

/** Something only a person can give. */
export interface Question {
  readonly question: string;
  readonly why: string;
  readonly steps: readonly string[];
  /** How it will be seen that it was done. */
  readonly check: string;
}

/** Word for whoever goes on. */
export interface SessionNote {
  readonly phase: string;
  readonly completed: readonly string[];
  readonly next_step: string;
  readonly critical_files: readonly string[];
  readonly memory_notes: string;
  /** Who wrote it; agents when not said. */
  readonly by?: 'agent' | 'summariser' | 'harness';
}
