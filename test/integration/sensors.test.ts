import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { createSensors } from '../../src/adapters/machine/sensors.ts';
import { getAgentSlots } from '../../src/core/decide/agent-slots.ts';

it('this machine tells what it has to give, and at least one agent may work on it', async () => {
  const reading = await createSensors({ env: {} }).readMachine();
  expect(reading.cores).toBeGreaterThanOrEqual(1);
  expect(reading.cores).toBeLessThanOrEqual(availableParallelism());
  expect(reading.totalBytes).toBeLessThanOrEqual(totalmem());
  expect(reading.availableBytes).toBeGreaterThan(0);
  expect(reading.availableBytes).toBeLessThanOrEqual(totalmem());
  // A kernel may have the file and refuse to fill it.
  if (!existsSync('/proc/pressure/memory')) expect(reading.memoryStall).toBeNull();
  else if (reading.memoryStall !== null) expect(reading.memoryStall.some10).toBeGreaterThanOrEqual(0);
  expect(reading).toMatchObject({ advice: null, adviceProblem: null });
  const { slots, verificationSlots, why } = getAgentSlots(reading, { active: 0, peakBytes: null });
  expect(Math.min(slots, verificationSlots)).toBeGreaterThanOrEqual(1);
  expect(why).toMatch(/^\d+ by /);
});
