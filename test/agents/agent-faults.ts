import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getOverloaded, getRateLimit, UNAUTHORIZED } from '../../demo/model-server/faults.ts';
import type { Fault } from '../../demo/model-server/script.ts';
import type { AgentErrorKind } from '../../src/ports/index.ts';
import type { RealAgent, Stage } from './agent-stage.ts';

const FAULTS: readonly (readonly [string, Fault, AgentErrorKind])[] = [
  ['429', getRateLimit(3_600), 'rate_limit'],
  ['529', getOverloaded(529), 'overloaded'],
  ['503', getOverloaded(503), 'overloaded'],
  ['401', UNAUTHORIZED, 'auth'],
  [
    'a context that is too long',
    getBadRequest('prompt is too long: 210000 tokens > 200000 maximum'),
    'context',
  ],
  ['a reset before the answer', { kind: 'reset_before_headers' }, 'network'],
  ['a reset in the answer', { kind: 'reset_mid_stream' }, 'network'],
  ['an end in the answer', { kind: 'eof_mid_stream' }, 'network'],
  ['garbage in the answer', { kind: 'malformed' }, 'malformed'],
  ['silence before the answer', { kind: 'hang_before_headers' }, 'timeout'],
  ['silence in the answer', { kind: 'hang_mid_stream' }, 'timeout'],
];

/** Every way for a provider to fail has its kind, ends in bounded time and is never a claim. */
export function describeFaults(name: string, sdk: RealAgent, stage: () => Stage): void {
  describe(`${name}, failed by its provider`, () => {
    test.each(FAULTS)('%s', async (fault, how, kind) => {
      const { play, server, countLeft } = stage();
      const turn = { text: 'Half of this is never heard.', fault: how };
      // A second request would be a retry of the SDK's own, and those are ours to make.
      const { result, events } = await play([turn, turn, turn]);
      expect(result.failure?.kind).toBe(sdk.faultKinds?.[fault] ?? kind);
      expect(result.outcome).toBe('crashed');
      expect(events.at(-1)).toMatchObject({ type: 'error', kind: result.failure?.kind });
      expect(server.requests).toHaveLength(1);
      expect(countLeft()).toBe(0);
    });

    test('a failure after work was done keeps the work and is still no claim', async () => {
      const { play, cwd } = stage();
      const { result } = await play([
        { text: 'All done!', tools: [sdk.write(cwd, 'kept.txt', 'x')], usage: { input: 40, output: 4 } },
        { fault: getOverloaded(503) },
      ]);
      expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'overloaded' } });
      const { inputTokens, outputTokens } = result.usage;
      if (sdk.hasRoughUsage) expect(inputTokens + outputTokens).toBeGreaterThanOrEqual(44);
      else expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 40, outputTokens: 4 });
      expect(existsSync(join(cwd, 'kept.txt'))).toBe(true);
    });
  });
}

function getBadRequest(message: string): Fault {
  return { kind: 'status', status: 400, message };
}
