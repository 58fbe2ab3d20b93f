import { getAmount, getFields } from '../../../core/base/json.ts';
import type { Usage } from '../../../core/model/usage.ts';
import { addUsage, hasTokens, NO_USAGE, subtractUsage } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';

/**
 * Counts tokens as they are streamed, and puts the count right when a turn's own total arrives:
 * sub-agents and broken streams are only in that one. Money comes with the total alone.
 */
export function createClaudeMeter(emit: (event: AgentEvent) => void) {
  let total: Usage = NO_USAGE;
  let turn: Usage = NO_USAGE;
  let started: Usage = NO_USAGE;
  let contextTokens = 0;

  function emitUsage(usage: Usage): void {
    turn = addUsage(turn, usage);
    emit({ type: 'usage', usage, contextTokens });
  }

  return {
    /** A piece of a streamed answer; its numbers come at the start and, in full, at the end. */
    stream(event: unknown, isMain: boolean): void {
      const { type, usage, message } = getFields(event);
      if (type === 'message_start') started = getTokens(getFields(message).usage, NO_USAGE);
      if (type !== 'message_delta') return;
      const tokens = getTokens(usage, started);
      started = NO_USAGE;
      if (isMain) contextTokens = tokens.inputTokens + tokens.cachedTokens + tokens.outputTokens;
      if (hasTokens(tokens)) emitUsage(tokens);
    },
    /** The end of a turn. */
    endTurn(lastTurn: Usage | null): void {
      const whole = lastTurn ?? turn;
      const missing = { ...subtractUsage(whole, turn), costUsd: 0 };
      if (hasTokens(missing)) emitUsage(missing);
      total = addUsage(total, { ...turn, costUsd: whole.costUsd });
      turn = NO_USAGE;
    },
    /** Says that the agent lives, at no cost. */
    alive: () => emit({ type: 'usage', usage: NO_USAGE, contextTokens }),
    total: () => addUsage(total, turn),
  };
}

/** Reading from a cache is cheap and counted apart; writing to it is input like any other. */
function getTokens(raw: unknown, start: Usage): Usage {
  const usage = getFields(raw);
  const input = getAmount(usage.input_tokens) + getAmount(usage.cache_creation_input_tokens);
  return {
    inputTokens: input || start.inputTokens,
    outputTokens: getAmount(usage.output_tokens) || start.outputTokens,
    cachedTokens: getAmount(usage.cache_read_input_tokens) || start.cachedTokens,
    costUsd: 0,
  };
}

/** A turn's use of all models together; null when nothing was told. */
export function getTurnUsage(raw: unknown): Usage | null {
  const models = Object.values(getFields(raw)).map(getFields);
  if (models.length === 0) return null;
  return models
    .map(model => ({
      inputTokens: getAmount(model.inputTokens) + getAmount(model.cacheCreationInputTokens),
      outputTokens: getAmount(model.outputTokens),
      cachedTokens: getAmount(model.cacheReadInputTokens),
      costUsd: getAmount(model.costUSD),
    }))
    .reduce(addUsage, NO_USAGE);
}
