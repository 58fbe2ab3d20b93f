import { type Fields, getAmount, getFields, getList, getText } from '../../../core/base/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { emitText, getInsidePath, MAX_OUTPUT_CHARS } from '../shared/tool-events.ts';
import type { ClaudeHints } from './ending.ts';
import type { ClaudeResult } from './sdk.ts';
import { createClaudeMeter, getTurnUsage } from './usage.ts';

/** Everything known of a session from its messages so far. */
export interface ClaudeReader {
  /** Takes anything; what it does not understand it leaves aside. Returns the result that ends a turn. */
  read(message: unknown): ClaudeResult | null;
  /** Null while a turn is under way. */
  lastResult(): ClaudeResult | null;
  lastText(): string;
  hints(): ClaudeHints;
  sessionId(): string | null;
  usage(): Usage;
}

type Emit = (event: AgentEvent) => void;

/** Turns the SDK's messages into events as they come. */
export function createClaudeReader(cwd: string, emit: Emit, nowMs: () => number): ClaudeReader {
  const meter = createClaudeMeter(emit);
  const tools = createToolCalls(cwd, emit);
  const emitAlive = createPulse(nowMs, meter.alive);
  const words = createWords(emit, tools.begin);
  let hints: ClaudeHints = { errorName: null, resetsAtMs: null };
  let lastResult: ClaudeResult | null = null;
  let sessionId: string | null = null;

  function readMessage(message: Fields): void {
    switch (message.type) {
      case 'stream_event':
        meter.stream(message.event, !message.parent_tool_use_id);
        break;
      case 'assistant':
        // Another turn has begun: the end of the one before is not the end of the session.
        lastResult = null;
        hints = { ...hints, errorName: getText(message.error) || hints.errorName };
        words.read(message);
        break;
      case 'user':
        tools.end(message);
        break;
      case 'rate_limit_event':
        hints = { ...hints, resetsAtMs: getResetsAtMs(message) ?? hints.resetsAtMs };
        break;
    }
    emitAlive();
  }

  return {
    read: raw => {
      const message = getFields(raw);
      sessionId = getText(message.session_id) || sessionId;
      if (message.type !== 'result') {
        readMessage(message);
        return null;
      }
      lastResult = getResult(message, words.endTurn());
      meter.endTurn(lastResult.usage);
      return lastResult;
    },
    lastResult: () => lastResult,
    lastText: words.last,
    hints: () => hints,
    sessionId: () => sessionId,
    usage: meter.total,
  };
}

/** What the model says in a turn, and the tools it calls. */
function createWords(emit: Emit, onToolUse: (block: Fields) => void) {
  let last = '';
  let hasSpoken = false;
  return {
    read(message: Fields): void {
      // An error of the API comes in the shape of words.
      if (getText(message.error) !== '' || message.is_api_error_message === true) return;
      for (const block of getList(getFields(message.message).content).map(getFields)) {
        const text = getText(block.text);
        if (block.type === 'text' && text !== '') {
          if (!message.parent_tool_use_id) last = text;
          hasSpoken ||= text.trim() !== '';
          emitText(text, emit);
        }
        if (block.type === 'tool_use') {
          hasSpoken = true;
          onToolUse(block);
        }
      }
    },
    last: () => last,
    /** Whether anything was said or called in the turn that ends here. */
    endTurn(): boolean {
      const had = hasSpoken;
      hasSpoken = false;
      return had;
    },
  };
}

/** Tool calls that have begun; each is told when its result has come. */
function createToolCalls(cwd: string, emit: Emit) {
  const open = new Map<string, ToolUse>();
  return {
    begin: (block: Fields) =>
      void open.set(getText(block.id), { name: getText(block.name), input: getFields(block.input) }),
    end(message: Fields): void {
      for (const block of getList(getFields(message.message).content).map(getFields)) {
        const id = getText(block.tool_use_id);
        const use = open.get(id);
        if (block.type !== 'tool_result' || !use) continue;
        open.delete(id);
        for (const event of getToolEvents(use, block, cwd)) emit(event);
      }
    },
  };
}

/** Long thoughts and long commands are no silence: says now and then that the agent lives. */
function createPulse(nowMs: () => number, alive: () => void): () => void {
  let emittedMs = nowMs();
  return () => {
    if (nowMs() - emittedMs < ALIVE_EVERY_MS) return;
    emittedMs = nowMs();
    alive();
  };
}

const ALIVE_EVERY_MS = 20_000;

/** When a limit that refused us is lifted. */
function getResetsAtMs({ rate_limit_info }: Fields): number | null {
  const { status, resetsAt } = getFields(rate_limit_info);
  const seconds = getAmount(resetsAt);
  return status === 'rejected' && seconds > 0 ? seconds * 1_000 : null;
}

function getResult(message: Fields, hasSpoken: boolean): ClaudeResult {
  const errors = getList(message.errors).map(getText).join('; ');
  const status = getAmount(message.api_error_status);
  return {
    subtype: getText(message.subtype),
    isError: message.is_error !== false,
    text: getText(message.result) || errors,
    stopReason: getText(message.stop_reason),
    terminalReason: getText(message.terminal_reason),
    apiError: getText(message.api_error),
    apiErrorStatus: status > 0 ? status : null,
    structured: message.structured_output,
    isEmpty: !hasSpoken && message.is_error === false,
    queuedTurns: getAmount(message.queued_turn_count),
    usage: getTurnUsage(message.model_usage_since_last_result),
  };
}

/** A tool call that has not been answered yet. */
interface ToolUse {
  readonly name: string;
  readonly input: Fields;
}

/** What a finished tool call means to the log; calls that change and run nothing are no event. */
function getToolEvents(use: ToolUse, result: Fields, cwd: string): readonly AgentEvent[] {
  const isError = result.is_error === true;
  const output = getResultText(result.content);
  if (use.name === 'Bash') return [getCommandEvent(getText(use.input.command), output, isError)];
  const path = getPath(use.input, cwd);
  if (isError)
    return [{ type: 'text', text: `[${use.name} ${path} failed] ${output}`.slice(0, MAX_OUTPUT_CHARS) }];
  const action = FILE_ACTIONS[use.name];
  return action && path !== '' ? [{ type: 'file', action, path }] : [];
}

const FILE_ACTIONS: Readonly<Record<string, 'read' | 'write'>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
};

/** Text of a tool result, which is a string or a list of blocks. */
function getResultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return getList(content)
    .map(block => getText(getFields(block).text))
    .join('\n');
}

/** A failed command says its code in its first line; a refused one has none. */
function getCommandEvent(command: string, output: string, isError: boolean): AgentEvent {
  const [line = '', code] = /^Exit code (\d+)\n?/.exec(output) ?? [];
  const exitCode = isError ? (code === undefined ? null : Number(code)) : 0;
  const rest = isError ? output.slice(line.length) : output;
  return { type: 'command', command, exitCode, output: rest.slice(-MAX_OUTPUT_CHARS) };
}

function getPath(input: Fields, cwd: string): string {
  const path = getText(input.file_path) || getText(input.notebook_path);
  return path === '' ? '' : getInsidePath(path, cwd);
}
