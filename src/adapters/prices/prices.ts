import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { hasTokens, type Usage } from '../../core/model/usage.ts';
import type { Agent } from '../../ports/index.ts';

/** A price set by the project, for models that no list knows or that cost it something else. */
export interface ModelPrice {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  readonly cachedPerMillion: number;
}

/** Too high rather than too low: an unknown model must not slip under a budget. */
const UNKNOWN: ModelPrice = { inputPerMillion: 15, outputPerMillion: 75, cachedPerMillion: 15 };

/** Gives every use of tokens its price, where the provider did not say it. */
export function withPrices(
  agent: Agent,
  getPrice: (usage: Omit<Usage, 'costUsd'>, model: string | undefined) => number,
): Agent {
  const price = (usage: Usage, model: string | undefined): Usage =>
    usage.costUsd > 0 || !hasTokens(usage) ? usage : { ...usage, costUsd: getPrice(usage, model) };
  return {
    ...agent,
    run: async (request, onEvent) => {
      const result = await agent.run(request, event =>
        onEvent(event.type === 'usage' ? { ...event, usage: price(event.usage, request.model) } : event),
      );
      return { ...result, usage: price(result.usage, request.model) };
    },
  };
}

/** What tokens cost on a model, and whether that is known or only assumed. */
export function getCostUsd(
  model: string,
  usage: Omit<Usage, 'costUsd'>,
  own: Readonly<Record<string, ModelPrice>> = {},
): { readonly costUsd: number; readonly isKnown: boolean } {
  const price = own[model];
  if (price) return { costUsd: multiply(price, usage), isKnown: true };
  const provider = getProvider(model);
  const tokens = {
    input_tokens: usage.inputTokens + usage.cachedTokens,
    cache_read_tokens: usage.cachedTokens,
    output_tokens: usage.outputTokens,
  };
  const listed = provider ? calcPrice(tokens, model, { provider }) : null;
  if (listed) return { costUsd: listed.total_price, isKnown: true };
  return { costUsd: multiply(UNKNOWN, usage), isKnown: false };
}

/** Looking through the whole list takes longer than all the rest, and the answer does not change. */
function getProvider(model: string): ReturnType<typeof findProvider> {
  if (!providers.has(model)) providers.set(model, findProvider({ modelId: model.toLowerCase().trim() }));
  return providers.get(model);
}

const providers = new Map<string, ReturnType<typeof findProvider>>();

function multiply(price: ModelPrice, usage: Omit<Usage, 'costUsd'>): number {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  const { inputPerMillion, outputPerMillion, cachedPerMillion } = price;
  return (
    (inputTokens * inputPerMillion + outputTokens * outputPerMillion + cachedTokens * cachedPerMillion) / 1e6
  );
}
