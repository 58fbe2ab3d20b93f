import { hasTokens, type Usage } from '../../core/model/usage.ts';
import type { Agent } from '../../ports/index.ts';

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
