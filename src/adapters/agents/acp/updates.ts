import { type Fields, getAmount, getFields, getText } from '../../../core/base/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { addUsage, NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { emitText } from '../shared/tool-events.ts';
import { type AcpToolCall, getAcpToolEvents, mergeToolCall, NEW_TOOL_CALL } from './tools.ts';

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

type Emit = (event: AgentEvent) => void;

/** Turns updates into events. */
export function createAcpUpdates(cwd: string, emit: Emit, isResumed = false): AcpUpdates {
  const calls = new Map<string, AcpToolCall>();
  const meter = createAcpMeter(emit, isResumed);
  const messages = createMessages(emit);
  let hasCalled = false;

  function readCall(update: Fields): void {
    messages.close();
    hasCalled = true;
    const id = getText(update.toolCallId);
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
      const update = getFields(raw);
      switch (update.sessionUpdate) {
        case 'agent_message_chunk':
        case 'agent_thought_chunk':
          messages.add(update, update.sessionUpdate === 'agent_thought_chunk');
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
      messages.close();
      meter.end(usage);
    },
    openCalls: () => calls.size,
    findCall: id => calls.get(id),
    lastMessage: messages.last,
    hasSpoken: () => hasCalled || messages.hasSpoken(),
    usage: meter.total,
  };
}

/** Words come in pieces, and are told message by message; so much is heard, and no more. */
function createMessages(emit: Emit) {
  let message = { id: '', text: '', isThought: false };
  let last = '';
  let receivedChars = 0;
  let hasSpoken = false;

  function close(): void {
    if (message.text.trim() !== '') {
      if (!message.isThought) last = message.text;
      if (receivedChars <= MAX_RECEIVED_CHARS) emitText(message.text, emit);
    }
    message = { id: '', text: '', isThought: false };
  }

  return {
    add(update: Fields, isThought: boolean): void {
      const id = getText(update.messageId);
      const text = getText(getFields(update.content).text);
      const isOther = id !== message.id || isThought !== message.isThought;
      if (isOther || message.text.length > MAX_MESSAGE_CHARS) close();
      receivedChars += text.length;
      hasSpoken ||= !isThought && text.trim() !== '';
      message = { id, isThought, text: message.text + text };
    },
    close,
    /** The last one that was no thought. */
    last: () => last,
    hasSpoken: () => hasSpoken,
  };
}

const MAX_RECEIVED_CHARS = 8 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 256 * 1024;

/**
 * Tokens are told at the end of a turn, if at all; the fullness of the context and the price before.
 * The price is passed on with the tokens that it is for, or it would be worked out a second time.
 */
function createAcpMeter(emit: (event: AgentEvent) => void, isResumed: boolean) {
  let total = NO_USAGE;
  let countedUsd = 0;
  let costUsd = 0;
  let contextTokens = 0;
  let seenTokens = 0;
  let isNew = false;

  function emitUsage(usage: Usage): void {
    total = addUsage(total, usage);
    emit({ type: 'usage', usage, contextTokens });
  }

  function answered(): void {
    if (isNew) seenTokens += contextTokens;
    isNew = false;
  }

  return {
    read(update: Fields): void {
      contextTokens = getAmount(update.used);
      isNew = true;
      const { amount, currency } = getFields(update.cost);
      // The price of a session that is gone on with holds all that it ever cost.
      if (currency === 'USD' && !isResumed) costUsd = Math.max(costUsd, getAmount(amount));
      emitUsage(NO_USAGE);
    },
    /** A tool is done, so the next answer will be another one: what filled the context has been paid for. */
    answered,
    /** Without a count of its own the turn is put at what went through the context: rather too much. */
    end(raw: unknown): void {
      answered();
      const usage = getFields(raw);
      const lastTurn = {
        inputTokens: getAmount(usage.inputTokens) + getAmount(usage.cachedWriteTokens),
        outputTokens: getAmount(usage.outputTokens),
        cachedTokens: getAmount(usage.cachedReadTokens),
        costUsd: costUsd - countedUsd,
      };
      const isCounted = lastTurn.inputTokens + lastTurn.outputTokens + lastTurn.cachedTokens > 0;
      const whole = isCounted ? lastTurn : { ...lastTurn, inputTokens: seenTokens };
      countedUsd = costUsd;
      seenTokens = 0;
      emitUsage(whole);
    },
    total: () => total,
  };
}
