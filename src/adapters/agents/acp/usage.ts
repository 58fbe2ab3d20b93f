import type { Usage } from '../../../core/model/usage.ts';
import { addUsage, NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { asCount, asObject, type LooseObject } from '../shared/loose-json.ts';

/**
 * Tokens are told at the end of a turn, if at all; the fullness of the context and the price before.
 * The price is passed on with the tokens that it is for, or it would be worked out a second time.
 */
export function createAcpMeter(emit: (event: AgentEvent) => void, isResumed: boolean) {
  let total = NO_USAGE;
  let toldUsd = 0;
  let costUsd = 0;
  let contextTokens = 0;
  let seenTokens = 0;
  let isNew = false;

  function tell(usage: Usage): void {
    total = addUsage(total, usage);
    emit({ type: 'usage', usage, contextTokens });
  }

  function answered(): void {
    if (isNew) seenTokens += contextTokens;
    isNew = false;
  }

  return {
    read(update: LooseObject): void {
      contextTokens = asCount(update.used);
      isNew = true;
      const { amount, currency } = asObject(update.cost);
      // The price of a session that is gone on with holds all that it ever cost.
      if (currency === 'USD' && !isResumed) costUsd = Math.max(costUsd, asCount(amount));
      tell(NO_USAGE);
    },
    /** A tool is done, so the next answer will be another one: what filled the context has been paid for. */
    answered,
    /** Without a count of its own the turn is put at what went through the context: rather too much. */
    end(raw: unknown): void {
      answered();
      const usage = asObject(raw);
      const told = {
        inputTokens: asCount(usage.inputTokens) + asCount(usage.cachedWriteTokens),
        outputTokens: asCount(usage.outputTokens),
        cachedTokens: asCount(usage.cachedReadTokens),
        costUsd: costUsd - toldUsd,
      };
      const isTold = told.inputTokens + told.outputTokens + told.cachedTokens > 0;
      const whole = isTold ? told : { ...told, inputTokens: seenTokens };
      toldUsd = costUsd;
      seenTokens = 0;
      tell(whole);
    },
    total: () => total,
  };
}
