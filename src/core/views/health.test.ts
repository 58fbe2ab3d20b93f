import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { CheckResult } from '../model/check.ts';
import {
  getHealth,
  getHealthScore,
  getLargestFiles,
  getTasksUntilCleanup,
  type HealthInput,
} from './health.ts';

const count = fc.nat(1_000);
const inputs: fc.Arbitrary<HealthInput> = fc.record({
  tasks: fc.tuple(count, count).map(([landed, open]) => ({ landed, total: landed + open })),
  tests: fc.option(fc.record({ passing: count, failing: count })),
  lint: fc.option(fc.record({ errors: count, lines: count })),
  files: fc.option(
    fc.tuple(count, count).map(([oversized, fine]) => ({ oversized, total: oversized + fine })),
  ),
});

/** Whatever has nothing to weigh is no better than the worst. */
const getScore = (input: HealthInput) => getHealthScore(input).score ?? 0;

describe('the score', () => {
  it('of nothing is unknown', () => {
    const input = { tasks: { landed: 0, total: 0 }, tests: null, lint: null, files: null };
    expect(getHealthScore(input)).toMatchObject({ score: null, status: 'UNKNOWN' });
  });

  it('is from 0 to 100, whatever was measured', () => {
    fc.assert(
      fc.property(inputs, input => {
        const score = getScore(input);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }),
    );
  });

  it.each<[string, (input: HealthInput) => HealthInput]>([
    [
      'another task that lands',
      input => ({
        ...input,
        tasks: { ...input.tasks, landed: Math.min(input.tasks.total, input.tasks.landed + 1) },
      }),
    ],
    [
      'a test that passes where it failed',
      ({ tests, ...input }) => ({
        ...input,
        tests: tests?.failing ? { passing: tests.passing + 1, failing: tests.failing - 1 } : tests,
      }),
    ],
    [
      'a lint error less',
      ({ lint, ...input }) => ({
        ...input,
        lint: lint && { ...lint, errors: Math.max(0, lint.errors - 1) },
      }),
    ],
    [
      'a long file less',
      ({ files, ...input }) => ({
        ...input,
        files: files && { ...files, oversized: Math.max(0, files.oversized - 1) },
      }),
    ],
  ])('is never worse after %s', (_, improve) => {
    fc.assert(fc.property(inputs, input => getScore(improve(input)) >= getScore(input)));
  });

  it('weighs its parts 4 : 3 : 2 : 1', () => {
    const nothing: HealthInput = {
      tasks: { landed: 0, total: 1 },
      tests: { passing: 0, failing: 1 },
      lint: { errors: 1, lines: 1 },
      files: { oversized: 1, total: 1 },
    };
    const getAlone = (part: Partial<HealthInput>) => getHealthScore({ ...nothing, ...part }).score;
    expect([
      getAlone({ tasks: { landed: 1, total: 1 } }),
      getAlone({ tests: { passing: 1, failing: 0 } }),
      getAlone({ lint: { errors: 0, lines: 1 } }),
      getAlone({ files: { oversized: 0, total: 1 } }),
    ]).toEqual([40, 30, 20, 10]);
  });

  it.each([
    [81, 'GOOD'],
    [80, 'FAIR'],
    [61, 'FAIR'],
    [60, 'POOR'],
  ] as const)('of %i is %s', (landed, status) => {
    const input = { tasks: { landed, total: 100 }, tests: null, lint: null, files: null };
    expect(getHealthScore(input)).toMatchObject({ score: landed, status });
  });
});

/** A landing that leaves files of these lengths. */
function landing(attempt: number, lines: Record<string, number | null>, errors?: number): HarnessEvent[] {
  const task = String(attempt);
  const lint: CheckResult = {
    ...{ check: 'lint', status: 'passed', summary: '', findings: [], commands: [], durationMs: 0 },
    ...(errors === undefined ? {} : { measures: { errors, warnings: 1 } }),
  };
  const events = upTo('landing', task, { attempt: 1, session: attempt }).map(event => {
    if (event.type === 'candidate.taken') return { ...event, lines };
    return event.type === 'verdict.given' ? { ...event, checks: [lint] } : event;
  });
  return [...events, { type: 'task.landed', task, attempt: 1, commit: 'c', ref: 'refs/heads/main' }];
}

describe('what is known of a project', () => {
  const worker = { id: 'w1', host: 'h', pid: 1, startTicks: '1' };
  const state = foldAll(
    synced([makeTask('1'), makeTask('2'), makeTask('3')]),
    [{ type: 'worker.started', worker, version: '0', maxFileLines: 100 }],
    landing(1, { 'a.ts': 90, 'b.ts': 300 }, 4),
    landing(2, { 'a.ts': 110, 'b.ts': null }, 2),
    landing(3, { 'a.ts': 250 }),
  );

  it('is how long files are, how they grow and what lint last said', () => {
    expect(getHealth(state)).toMatchObject({
      tasks: { landed: 3, total: 3 },
      lint: { errors: 2, lines: 250 },
      files: { oversized: 1, total: 1 },
    });
    expect(getLargestFiles(state, 5)).toEqual([
      { path: 'a.ts', lines: 250, growth: 80, isOversized: true, growsFast: true },
    ]);
    expect(state.quality.history.map(({ grownLines }) => grownLines)).toEqual([0, -280, 140]);
  });

  it('follows the project’s own idea of a long file', () => {
    const started = { type: 'worker.started', worker, version: '0', maxFileLines: 251 } as const;
    const more = foldAll(synced([makeTask('1')]), landing(1, { 'a.ts': 250 }), [started]);
    expect([state.quality.oversized, more.quality.oversized]).toEqual([1, 0]);
  });

  it('counts as a recount from nothing would', () => {
    const sizes = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(1_000)));
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 6 }), landings => {
        const { quality } = foldAll(
          synced(landings.map((_, i) => makeTask(String(i + 1)))),
          landings.flatMap((lines, i) => landing(i + 1, { ...lines })),
        );
        const all = [...quality.fileSizes.values()].map(({ lines }) => lines);
        expect(quality.lines).toBe(all.reduce((sum, lines) => sum + lines, 0));
        expect(quality.oversized).toBe(all.filter(lines => lines > quality.maxFileLines).length);
      }),
      { numRuns: 50 },
    );
  });
});

it('a clean-up is due at every multiple of the interval, and never at once', () => {
  const after = (landings: number, last: number, interval = 10) =>
    getTasksUntilCleanup({ landings, cleanup: { added: 1, landings: last, requested: false } }, interval);
  expect([after(0, 0), after(9, 0), after(10, 0), after(12, 0), after(12, 12), after(5, 0, 0)]).toEqual([
    10,
    1,
    0,
    0,
    10,
    null,
  ]);
});
