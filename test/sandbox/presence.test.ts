import { expect, it } from 'vitest';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';

it('bubblewrap is there and holds, or it is said plainly that it is not', async () => {
  const { level, reason } = await probeSandbox();
  if (level === 'process') {
    process.stderr.write(`\nNO SANDBOX: ${reason}. The escapes of this suite were not tried.\n`);
  }
  if (process.env.HARNESS_REQUIRE_SANDBOX === '1') expect(level, reason).toBe('bubblewrap');
});
