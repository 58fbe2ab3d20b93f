import type { Usage } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { emitText } from '../shared/emit-text.ts';
import { asCount, asList, asObject, asText, type LooseObject } from '../shared/loose-json.ts';
import type { ClaudeHints } from './failure.ts';
import type { ClaudeResult } from './sdk.ts';
import { getToolEvents, type ToolUse } from './tools.ts';
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

/** Turns the SDK's messages into events as they come. */
export function createClaudeReader(
  cwd: string,
  emit: (event: AgentEvent) => void,
  nowMs: () => number,
): ClaudeReader {
  const meter = createClaudeMeter(emit);
  const open = new Map<string, ToolUse>();
  let hints: ClaudeHints = { errorName: null, resetsAtMs: null };
  let lastResult: ClaudeResult | null = null;
  let lastText = '';
  let hasSpoken = false;
  let sessionId: string | null = null;
  let heardMs = nowMs();

  function readAssistant(message: LooseObject): void {
    // Another turn has begun: the end of the one before is not the end of the session.
    lastResult = null;
    const errorName = asText(message.error);
    if (errorName !== '') hints = { ...hints, errorName };
    if (errorName !== '' || message.is_api_error_message === true) return;
    for (const block of asList(asObject(message.message).content).map(asObject)) {
      const text = asText(block.text);
      if (block.type === 'text' && text !== '') {
        if (!message.parent_tool_use_id) lastText = text;
        hasSpoken ||= text.trim() !== '';
        emitText(text, emit);
      }
      if (block.type === 'tool_use') {
        hasSpoken = true;
        open.set(asText(block.id), { name: asText(block.name), input: asObject(block.input) });
      }
    }
  }

  function readToolResults(message: LooseObject): void {
    for (const block of asList(asObject(message.message).content).map(asObject)) {
      const id = asText(block.tool_use_id);
      const use = open.get(id);
      if (block.type !== 'tool_result' || !use) continue;
      open.delete(id);
      for (const event of getToolEvents(use, block, cwd)) emit(event);
    }
  }

  function readRateLimit(info: LooseObject): void {
    const resetsAt = asCount(info.resetsAt);
    if (info.status === 'rejected' && resetsAt > 0) hints = { ...hints, resetsAtMs: resetsAt * 1_000 };
  }

  /** Long thoughts and long commands are no silence. */
  function tellAlive(): void {
    if (nowMs() - heardMs < ALIVE_EVERY_MS) return;
    heardMs = nowMs();
    meter.alive();
  }

  function read(raw: unknown): ClaudeResult | null {
    const message = asObject(raw);
    sessionId = asText(message.session_id) || sessionId;
    switch (message.type) {
      case 'stream_event':
        meter.stream(message.event, !message.parent_tool_use_id);
        break;
      case 'assistant':
        readAssistant(message);
        break;
      case 'user':
        readToolResults(message);
        break;
      case 'rate_limit_event':
        readRateLimit(asObject(message.rate_limit_info));
        break;
      case 'result':
        lastResult = getResult(message, hasSpoken);
        hasSpoken = false;
        meter.endTurn(lastResult.usage);
        return lastResult;
    }
    tellAlive();
    return null;
  }

  return {
    read,
    lastResult: () => lastResult,
    lastText: () => lastText,
    hints: () => hints,
    sessionId: () => sessionId,
    usage: meter.total,
  };
}

const ALIVE_EVERY_MS = 20_000;

function getResult(message: LooseObject, hasSpoken: boolean): ClaudeResult {
  const errors = asList(message.errors).map(asText).join('; ');
  const status = asCount(message.api_error_status);
  return {
    subtype: asText(message.subtype),
    isError: message.is_error !== false,
    text: asText(message.result) || errors,
    stopReason: asText(message.stop_reason),
    terminalReason: asText(message.terminal_reason),
    apiError: asText(message.api_error),
    apiErrorStatus: status > 0 ? status : null,
    structured: message.structured_output,
    isEmpty: !hasSpoken && message.is_error === false,
    queuedTurns: asCount(message.queued_turn_count),
    usage: getTurnUsage(message.model_usage_since_last_result),
  };
}
