import type { ChildProcess } from 'node:child_process';
import type { Usage } from '../../../core/model/usage.ts';

/**
 * The part of the Claude Agent SDK that is used here, written down by hand: the package is no
 * dependency of ours, and the contract suite shows when the two no longer agree.
 */
export interface ClaudeSdk {
  query(request: {
    readonly prompt: AsyncIterable<ClaudeInput>;
    readonly options: ClaudeOptions;
  }): ClaudeQuery;
  /** One tool; the input is a Zod shape of version 4, of whichever copy of Zod. */
  tool(
    name: string,
    description: string,
    input: Readonly<Record<string, unknown>>,
    handler: (input: unknown) => Promise<{ readonly content: readonly object[] }>,
  ): object;
  /** A server in this process: what the agent calls comes back over its own pipe. */
  createSdkMcpServer(options: {
    readonly name: string;
    readonly version: string;
    readonly tools: readonly object[];
  }): object;
}

export interface ClaudeQuery extends AsyncIterable<unknown> {
  /** Rejects when the session is already over. */
  interrupt(): Promise<unknown>;
  close(): void;
}

export interface ClaudeInput {
  readonly type: 'user';
  readonly message: { readonly role: 'user'; readonly content: string };
  readonly parent_tool_use_id: null;
  /** Takes the text as written: no `@file` and no `/command` in it is acted upon. */
  readonly client_composed: true;
}

export interface ClaudeOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly effort?: string;
  readonly resume?: string;
  readonly permissionMode: 'acceptEdits' | 'dontAsk';
  readonly tools: readonly string[];
  readonly allowedTools: readonly string[];
  readonly systemPrompt?: { readonly type: 'preset'; readonly preset: 'claude_code' };
  readonly settingSources: readonly string[];
  readonly strictMcpConfig: boolean;
  readonly includePartialMessages: boolean;
  readonly maxTurns?: number;
  readonly outputFormat?: {
    readonly type: 'json_schema';
    readonly schema: Readonly<Record<string, unknown>>;
  };
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly hooks?: {
    readonly PreToolUse: readonly {
      readonly matcher: string;
      readonly hooks: readonly ((input: { readonly tool_input?: unknown }) => Promise<object>)[];
    }[];
  };
  readonly spawnClaudeCodeProcess: (request: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  }) => ChildProcess;
}

/** What ends a turn, as far as it could be read. */
export interface ClaudeResult {
  readonly subtype: string;
  readonly isError: boolean;
  readonly text: string;
  readonly stopReason: string;
  readonly terminalReason: string;
  readonly apiError: string;
  readonly apiErrorStatus: number | null;
  readonly structured: unknown;
  /** Nothing was said in this turn, and no tool was called. */
  readonly isEmpty: boolean;
  /** Words for the agent that it has not read yet: another turn follows. */
  readonly queuedTurns: number;
  /** Of this turn alone, whatever the session carried over; null when it was not told. */
  readonly usage: Usage | null;
}
