export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly costUsd: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

/**
 * How full the context is after a use: as the provider tells it, else everything new that came into it so far.
 * What was read again from a cache had been counted when it was new.
 */
export function getContextTokens(
  before: number,
  { usage, contextTokens }: { readonly usage: Usage; readonly contextTokens?: number },
): number {
  return contextTokens ?? before + usage.inputTokens + usage.outputTokens;
}

/** What is left of a use after a part of it; never below nothing, whatever a provider reports. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(0, a.inputTokens - b.inputTokens),
    outputTokens: Math.max(0, a.outputTokens - b.outputTokens),
    cachedTokens: Math.max(0, a.cachedTokens - b.cachedTokens),
    costUsd: Math.max(0, a.costUsd - b.costUsd),
  };
}

/** Whether any token was used, whatever it cost. */
export function hasTokens({ inputTokens, outputTokens, cachedTokens }: Usage): boolean {
  return inputTokens > 0 || outputTokens > 0 || cachedTokens > 0;
}
