import type { Usage } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { emitText } from '../shared/emit-text.ts';
import { asObject, asText, type LooseObject } from '../shared/loose-json.ts';
import { type AcpToolCall, getAcpToolEvents, mergeToolCall, NEW_TOOL_CALL } from './tools.ts';
import { createAcpMeter } from './usage.ts';

/** What is known of a turn from the updates so far. */
export interface AcpUpdates {
  /** Takes anything; what it does not understand it leaves aside. */
  read(update: unknown): void;
  /** The end of a turn, with the agent's own count if it has one. */
  end(usage: unknown): void;
  /** Tool calls that have not come to an end. */
  openCalls(): number;
  /** What is known of one of them. */
  findCall(id: string): AcpToolCall | undefined;
  /** The last message of the agent, whole. */
  lastMessage(): string;
  /** Whether anything was said or done, besides thinking. */
  hasSpoken(): boolean;
  usage(): Usage;
}

/** Turns updates into events; words come in pieces and are told message by message. */
export function createAcpUpdates(
  cwd: string,
  emit: (event: AgentEvent) => void,
  isResumed = false,
): AcpUpdates {
  const calls = new Map<string, AcpToolCall>();
  const meter = createAcpMeter(emit, isResumed);
  let message = { id: '', text: '', isThought: false };
  let last = '';
  let heardChars = 0;
  let hasSpoken = false;

  function closeMessage(): void {
    if (message.text.trim() !== '') {
      if (!message.isThought) last = message.text;
      if (heardChars <= MAX_HEARD_CHARS) emitText(message.text, emit);
    }
    message = { id: '', text: '', isThought: false };
  }

  function readChunk(update: LooseObject, isThought: boolean): void {
    const id = asText(update.messageId);
    const text = asText(asObject(update.content).text);
    if (id !== message.id || isThought !== message.isThought || message.text.length > MAX_MESSAGE_CHARS) {
      closeMessage();
    }
    heardChars += text.length;
    hasSpoken ||= !isThought && text.trim() !== '';
    message = { id, isThought, text: message.text + text };
  }

  function readCall(update: LooseObject): void {
    closeMessage();
    hasSpoken = true;
    const id = asText(update.toolCallId);
    const call = mergeToolCall(calls.get(id) ?? NEW_TOOL_CALL, update);
    const isOver = call.status === 'completed' || call.status === 'failed';
    if (isOver) meter.answered();
    if (!isOver) calls.set(id, call);
    else if (calls.delete(id) || update.sessionUpdate === 'tool_call') {
      for (const event of getAcpToolEvents(call, cwd)) emit(event);
    }
  }

  return {
    read: raw => {
      const update = asObject(raw);
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
          readChunk(update, false);
          break;
        case 'agent_thought_chunk':
          readChunk(update, true);
          break;
        case 'tool_call':
        case 'tool_call_update':
          readCall(update);
          break;
        case 'usage_update':
          meter.read(update);
          break;
      }
    },
    end: usage => {
      closeMessage();
      meter.end(usage);
    },
    openCalls: () => calls.size,
    findCall: id => calls.get(id),
    lastMessage: () => last,
    hasSpoken: () => hasSpoken,
    usage: meter.total,
  };
}

const MAX_HEARD_CHARS = 8 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 256 * 1024;
