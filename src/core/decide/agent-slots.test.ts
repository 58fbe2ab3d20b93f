import { describe, expect, it } from 'vitest';
import type { MachineReading } from '../model/machine.ts';
import { type AgentSlots, type AgentsSeen, getAgentSlots } from './agent-slots.ts';

const GB = 1024 ** 3;
const ROOMY: MachineReading = {
  ...{ cores: 8, load1: 0.5, totalBytes: 64 * GB, availableBytes: 50 * GB },
  ...{ cpuStall: { some10: 0, full10: 0 }, memoryStall: { some10: 0, full10: 0 } },
  ...{ battery: null, advice: null, adviceProblem: null },
};
const NOBODY: AgentsSeen = { active: 0, peakBytes: null };

function decide(reading: Partial<MachineReading>, seen: Partial<AgentsSeen> = {}): AgentSlots {
  return getAgentSlots({ ...ROOMY, ...reading }, { ...NOBODY, ...seen });
}

const advise = (more: Partial<NonNullable<MachineReading['advice']>>) => ({
  advice: { recommendedAgents: 6, memoryPressure: 'normal', activeAgents: null, ...more } as const,
});

describe('how many agents may work at once', () => {
  it.each<[string, number, Partial<MachineReading>, Partial<AgentsSeen>, RegExp]>([
    ['never more than sixteen', 16, {}, {}, /^16 by the limit of all/],
    ['four for each core', 8, { cores: 2 }, {}, /^8 by 2 cores/],
    [
      'what memory carries at a gigabyte each',
      4,
      { availableBytes: 6 * GB, totalBytes: 16 * GB },
      {},
      /6\.0 GB/,
    ],
    [
      'at what sessions were seen to use',
      10,
      { availableBytes: 50 * GB },
      { peakBytes: 4 * GB },
      /4\.0 GB each/,
    ],
    ['those at work left out', 5, { cores: 2 }, { active: 3 }, /3 at work/],
    [
      'those at work counted where memory decides',
      4,
      { availableBytes: 5 * GB, totalBytes: 16 * GB },
      { active: 3 },
      /^7 by/,
    ],
    ['one, though there are more at work than there should be', 1, { cores: 1 }, { active: 9 }, /./],
    ['one, though memory carries none', 1, { availableBytes: GB, totalBytes: 6 * GB }, {}, /^1 by 1\.0 GB/],
    [
      'one, though nothing can be seen but that',
      1,
      { cores: 1, load1: null, totalBytes: 0, availableBytes: 0 },
      {},
      /./,
    ],
    ['what the hardware endpoint advises', 6, advise({}), {}, /^6 by the advice/],
    ['less those that it knows of', 2, advise({ activeAgents: 4 }), { active: 1 }, /4 at work/],
    ['one where it advises none', 1, advise({ recommendedAgents: 0 }), {}, /./],
  ])('is %s', (_, slots, reading, seen, why) => {
    const found = decide(reading, seen);
    expect([found.slots, found.pressure, found.next]).toEqual([slots, 'normal', { type: 'go' }]);
    expect(found.why).toMatch(why);
  });
});

describe('memory that runs short', () => {
  it.each<[string, AgentSlots['pressure'], number, Partial<MachineReading>]>([
    ['is a warning when something waits for it', 'warn', 2, { memoryStall: { some10: 10, full10: 0 } }],
    ['is none just below that', 'normal', 16, { memoryStall: { some10: 9.9, full10: 4.9 } }],
    ['is a warning below 15 % free', 'warn', 2, { availableBytes: 14.9 * GB, totalBytes: 100 * GB }],
    ['is none at 15 % free', 'normal', 12, { availableBytes: 15 * GB, totalBytes: 100 * GB }],
    ['is critical when everything waits for it', 'critical', 1, { memoryStall: { some10: 50, full10: 5 } }],
    ['is critical below 7 % free', 'critical', 1, { availableBytes: 6.9 * GB, totalBytes: 100 * GB }],
    ['is a warning at 7 % free', 'warn', 2, { availableBytes: 7 * GB, totalBytes: 100 * GB }],
    ['is what the hardware endpoint says', 'warn', 2, advise({ memoryPressure: 'warn' })],
    ['is critical when it says so', 'critical', 1, advise({ memoryPressure: 'critical' })],
    [
      'is what is seen here where that is worse',
      'critical',
      1,
      { ...advise({}), memoryStall: { some10: 9, full10: 9 } },
    ],
  ])('%s', (_, pressure, slots, reading) => {
    const found = decide(reading);
    expect([found.pressure, found.slots]).toEqual([pressure, slots]);
    expect(found.why.includes('memory pressure')).toBe(pressure !== 'normal');
  });

  it('lets nobody begin for a minute when it is critical, and stops when it still is', () => {
    const critical = { memoryStall: { some10: 50, full10: 20 } };
    expect(decide(critical).next).toEqual({ type: 'wait', ms: 60_000 });
    expect(decide(critical, { criticalBefore: 1 }).next).toEqual({ type: 'stop' });
    expect(decide({}, { criticalBefore: 1 }).next).toEqual({ type: 'go' });
  });

  it('lets one begin when there is one already and there may be two', () => {
    expect(decide({ cores: 1, memoryStall: { some10: 20, full10: 0 } }, { active: 3 }).slots).toBe(1);
  });
});

describe('cores that are busy', () => {
  it.each<[string, number, Partial<MachineReading>]>([
    ['half of them verify', 4, {}],
    ['one verifies where there is one', 1, { cores: 1 }],
    ['one verifies while programs wait for a core', 1, { cpuStall: { some10: 50, full10: 0 } }],
    ['one verifies under a load of twice the cores', 1, { cpuStall: null, load1: 16 }],
    ['a load counts only where waiting cannot be seen', 4, { load1: 100 }],
  ])('%s', (_, verificationSlots, reading) => {
    const found = decide(reading);
    expect([found.verificationSlots, found.slots >= 4]).toEqual([verificationSlots, true]);
  });
});

it('what could not be asked and a battery that runs down are said', () => {
  const { why } = decide({
    battery: { percent: 40, isDischarging: true },
    adviceProblem: 'the hardware endpoint does not answer',
  });
  expect(why).toMatch(/on battery, 40 % left; the hardware endpoint does not answer$/);
});
