import type {
  AgentErrorKind,
  AgentEvent,
  Question,
  SessionNote,
  ToolEntry,
} from '../core/model/agent-event.ts';
import type { TaskDef } from '../core/model/task.ts';
import type { Usage } from '../core/model/usage.ts';

/** `exec` edits and runs, `review` only reads, `complete` answers once without tools. */
export type AgentMode = 'exec' | 'review' | 'complete';

export interface SessionRequest {
  readonly task: TaskDef;
  readonly attempt: number;
  readonly session: number;
  /** How often the work of this attempt has been sent back; 0 for its first session. */
  readonly round?: number;
  /** What the session is for: coding, test-author, … */
  readonly role?: string;
  /** Counts the sessions that were meant to bring the task further: attempts, and rounds within them. */
  readonly turn?: number;
  readonly prompt: string;
  readonly cwd: string;
  /** Ports and names that this worktree has to itself; what the user sets by name counts instead. */
  readonly surroundings?: Readonly<Record<string, string>>;
  /** Where the work lies that a review is about; `cwd` is then the base, which it has not touched. */
  readonly candidateDir?: string;
  readonly timeoutMs: number;
  /** Ends the session at once; nothing the agent started survives it. */
  readonly signal: AbortSignal;
  /** `exec` when not given. */
  readonly mode?: AgentMode;
  readonly model?: string;
  readonly effort?: string;
  /** JSON Schema of the answer in `complete` mode. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** The id of an earlier session of the same provider to go on with. */
  readonly resume?: string;
  /** Asks the agent to end its turn; what it has done so far stays. */
  readonly interrupt?: AbortSignal;
  /** Words put before the agent while it works, as far as it can be reached. */
  readonly injections?: Injections;
  /** MCP servers offered to the agent, by name. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
}

/** Tools through which an agent talks to the harness, one box per worktree. */
export interface Toolbox {
  /** Lays out an empty box; returns the server to offer to the agent. */
  open(worktree: string, orientation: string): Promise<McpServer>;
  /** What the agent said, checked for form. */
  read(worktree: string): Promise<readonly ToolEntry[]>;
  /** What it left in the file for the session note instead, or why that cannot be used; null without one. */
  readSessionNote?(worktree: string): Promise<SessionNoteFile | null>;
}

export type SessionNoteFile =
  | { readonly sessionNote: SessionNote }
  | { readonly why: string; readonly text: string };

/** What became of words for an agent: put before it, left where it may look, or neither. */
export type Delivery = 'told' | 'left' | 'unheard';

export interface Injections {
  /** The listener says what became of the words as soon as it knows. Returns the way to stop listening. */
  subscribe(listener: (text: string) => Delivery | Promise<Delivery>): () => void;
}

export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The very same tools in this process, for agent SDKs that can call them here. */
  readonly local?: readonly LocalTool[];
}

/** A tool that is called without a process in between. */
export interface LocalTool {
  readonly name: string;
  readonly description: string;
  /** The fields of its input, as Zod describes them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Answers in words for the agent. */
  call(input: unknown): string;
}

/** The end of a session as the agent tells it: a claim, or not even that. */
export interface AgentResult {
  readonly outcome: 'claimed' | 'not-done' | 'crashed' | 'timeout';
  readonly summary: string;
  readonly usage: Usage;
  /** Why it ended badly, when the provider said so. */
  readonly failure?: AgentFailure;
  /** It ended its turn without a word; the summary is ours then. */
  readonly silent?: true;
  /** To go on with by `resume`. */
  readonly sessionId?: string;
  /** The answer in `complete` mode, checked against the schema by the adapter. */
  readonly structured?: unknown;
  /** What it needs from a person, where it has no other way to say so. */
  readonly question?: Question;
}

/** A provider's error in our words. */
export interface AgentFailure {
  readonly kind: AgentErrorKind;
  readonly message: string;
  /** When the provider says to try again, on the wall clock. */
  readonly retryAtMs?: number;
  /** What was said in the place of an answer in the form that was asked for. */
  readonly words?: string;
}

/** How far an agent can be steered. */
export interface AgentCapabilities {
  readonly modes: readonly AgentMode[];
  readonly inject: 'native' | 'abort-resume' | 'none';
  readonly interrupt: 'native' | 'abort' | 'none';
  readonly resume: boolean;
}

/** Drives one session of an agent; edits happen in `cwd`, and only git knows what they were. */
export interface Agent {
  readonly provider: string;
  readonly capabilities?: AgentCapabilities;
  /** Every edit and command of it comes as an event; without, only what does come is known. */
  readonly reportsTools?: boolean;
  run(request: SessionRequest, onEvent: (event: AgentEvent) => void): Promise<AgentResult>;
}
