import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../ports/index.ts';
import { getCostUsd, withPrices } from './prices.ts';

const million = { inputTokens: 1e6, outputTokens: 1e6, cachedTokens: 0 };

describe('prices', () => {
  it('come from the public list', () => {
    expect(
      getCostUsd('claude-sonnet-4-5', { inputTokens: 100_000, outputTokens: 10_000, cachedTokens: 0 }),
    ).toEqual({
      costUsd: expect.closeTo(0.45, 5),
      isKnown: true,
    });
  });

  it('charge cached input less than fresh input', () => {
    const fresh = getCostUsd('claude-sonnet-4-5', { inputTokens: 100_000, outputTokens: 0, cachedTokens: 0 });
    const cached = getCostUsd('claude-sonnet-4-5', {
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 100_000,
    });
    expect(cached.costUsd).toBeLessThan(fresh.costUsd / 5);
    expect(cached.costUsd).toBeGreaterThan(0);
  });

  it('can be set by the project', () => {
    const own = { mine: { inputPerMillion: 1, outputPerMillion: 2, cachedPerMillion: 0 } };
    expect(getCostUsd('mine', million, own)).toEqual({ costUsd: 3, isKnown: true });
  });

  it('are assumed high for a model nobody knows, and say so', () => {
    expect(getCostUsd('no-such-model', million)).toEqual({ costUsd: 90, isKnown: false });
  });
});

describe('an agent with prices', () => {
  const usage = { inputTokens: 10, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

  async function runWith(costUsd: number): Promise<{ events: AgentEvent[]; costUsd: number }> {
    const events: AgentEvent[] = [];
    const agent = withPrices(
      {
        provider: 'x',
        run: async (_request, onEvent) => {
          onEvent({ type: 'usage', usage: { ...usage, costUsd } });
          return { outcome: 'claimed', summary: '', usage: { ...usage, costUsd } };
        },
      },
      ({ inputTokens }) => inputTokens * 0.5,
    );
    const result = await agent.run({ model: 'm' } as never, event => events.push(event));
    return { events, costUsd: result.usage.costUsd };
  }

  it('prices what the provider left open', async () => {
    const { events, costUsd } = await runWith(0);
    expect(costUsd).toBe(5);
    expect(events).toEqual([{ type: 'usage', usage: { ...usage, costUsd: 5 } }]);
  });

  it('leaves a price that the provider gave', async () => {
    expect((await runWith(0.25)).costUsd).toBe(0.25);
  });
});
