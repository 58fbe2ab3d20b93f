import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { store } from '../../../test/support/history.ts';
import { upTo } from '../../../test/support/pipeline.ts';
import { getEventLevel } from './event.ts';
import { getKeepDays, isLogged, LEVELS } from './log-rules.ts';

const attempts = Array.from({ length: 1_000 }, (_, at) => store(upTo('judged', String(at + 1)))).flat();
const getKey = ({ event }: (typeof attempts)[number]) => ('attempt' in event ? event.task : '');

describe('what is logged', () => {
  it.each(LEVELS)('holds everything at least %s, and without sampling nothing else', level => {
    const logged = attempts.filter(stored => isLogged(stored, { level, sampling: 0 }));
    const expected = attempts.filter(
      ({ event }) => LEVELS.indexOf(getEventLevel(event)) <= LEVELS.indexOf(level),
    );
    expect(logged).toEqual(expected);
  });

  it('holds the routine of about a tenth of the attempts, each whole', () => {
    const routine = attempts.filter(({ event }) => getEventLevel(event) === 'routine');
    const logged = routine.filter(stored => isLogged(stored, { level: 'important', sampling: 0.1 }));
    const sampled = new Set(logged.map(getKey));
    expect(sampled.size).toBeGreaterThan(60);
    expect(sampled.size).toBeLessThan(140);
    expect(logged).toEqual(routine.filter(stored => sampled.has(getKey(stored))));
  });

  it('never holds debug events unless they are asked for, and never leaves out what matters', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...attempts),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (stored, sampling) => {
          const level = getEventLevel(stored.event);
          const logged = isLogged(stored, { level: 'important', sampling });
          if (level === 'debug') expect(logged).toBe(false);
          if (level === 'critical' || level === 'important') expect(logged).toBe(true);
        },
      ),
    );
  });
});

describe('what is kept', () => {
  it.each([
    ['critical', 90, Number.POSITIVE_INFINITY],
    ['important', 90, 90],
    ['routine', 90, 30],
    ['debug', 90, 7],
    ['routine', 5, 5],
  ] as const)('%s lines with %i days of retention for %d days', (level, retentionDays, days) => {
    expect(getKeepDays(level, { retentionDays })).toBe(days);
  });
});
