import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { type Bench, createBench, type Files } from '../../test/support/bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { foldAll } from '../../test/support/pipeline.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { HeldOutFile } from '../ports/index.ts';
import { judgeStack, type StackVerdict } from './judge-stack.ts';
import type { Layer } from './stack-questions.ts';
import { TestRuns } from './test-runs.ts';

/** What one piece of work changes; null takes a file away. */
type Work = Readonly<Record<string, string | null>>;

interface Asked {
  readonly command: string;
  readonly files: Files;
  /** How often this command was run on these files before. */
  readonly times: number;
  /** A test file that is run by itself. */
  readonly only: string | null;
}

interface Given {
  readonly tip?: Files;
  /** What the works were proven on; the tip when not given. */
  readonly base?: Files;
  readonly works: readonly Work[];
  /** Red tests by name; those of a tree that are not among them are green. */
  readonly red: (asked: Asked) => readonly string[];
  readonly answer?: (asked: Asked) => Partial<TestRun> | undefined;
  readonly def?: Partial<TaskDef>;
  readonly events?: readonly HarnessEvent[];
  readonly policy?: Partial<Policy>;
  readonly heldOut?: Readonly<Record<string, string>>;
}

const TIP: Files = { 'test/old': '1', 'test/other': '1' };

function put(files: Files, work: Work): Files {
  const all = { ...files, ...work };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

const toTree = (files: Files): string => JSON.stringify(files);

/** The works one on top of the other, each proven by itself, and a project whose tests say what is given. */
async function judge(given: Given): Promise<StackVerdict & { ran: Bench['ran']; runs: readonly Asked[] }> {
  const { tip = TIP, base = tip, works, red, policy: changed, answer } = given;
  const seen = new Map<string, number>();
  const runs: Asked[] = [];
  const bench = createBench(tip, {
    answer: ({ command, idWithoutReport }, files) => {
      const key = `${command} ${toTree(files)}`;
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      const only = /^test (\S+)$/.exec(command)?.[1] ?? null;
      const asked = { command, files, times, only };
      runs.push(asked);
      const names = Object.keys(files).filter(path => path.startsWith('test/'));
      const isRed = new Set(red(asked));
      const results = names
        .filter(path => only === null || path === only)
        .map(id => ({ id, outcome: isRed.has(id) ? ('failed' as const) : ('passed' as const) }));
      const plain = { results, exitCode: results.some(({ outcome }) => outcome === 'failed') ? 1 : 0 };
      return {
        ...plain,
        ...(answer?.({ ...asked }) ?? getCommandRun(command, asked, isRed, idWithoutReport)),
      };
    },
  });
  const policy = { ...simPolicy, ...changed };
  const layers: Layer[] = [];
  let onto = tip;
  for (const [at, work] of works.entries()) {
    onto = put(onto, work);
    const def = { ...makeTask(String(at + 1)), testFile: null, ...given.def };
    const own = { baseTree: toTree(base), ownTree: toTree(put(base, work)) };
    layers.push({ def, ...own, tree: toTree(onto) });
  }
  const kept = given.heldOut;
  const ports = kept ? { ...bench.ports, heldOut: holdOut(kept) } : bench.ports;
  const { signal } = new AbortController();
  const tests = new TestRuns({ ports, policy, slot: 400, signal });
  // Each was judged by itself, with the suite, on what it was made on.
  for (const { baseTree, ownTree } of layers) {
    await tests.suite({ side: 'base', tree: baseTree });
    await tests.suite({ side: 'candidate', tree: ownTree });
  }
  runs.length = 0;
  const state = foldAll(given.events ?? []);
  const verdict = await judgeStack({ ports, policy, state, tests }, toTree(tip), layers);
  return { ...verdict, ran: bench.ran, runs };
}

function getCommandRun(
  command: string,
  { files }: Asked,
  red: ReadonlySet<string>,
  id = command,
): Partial<TestRun> | undefined {
  if (!command.startsWith('check')) return undefined;
  const isGreen = !red.has(command) && 'test/old' in files;
  return { exitCode: isGreen ? 0 : 1, results: [{ id, outcome: isGreen ? 'passed' : 'failed' }] };
}

function holdOut(files: Readonly<Record<string, string>>) {
  const list: HeldOutFile[] = Object.entries(files).map(([path, text]) => ({ path, text, sha256: text }));
  return {
    list: async (task: string) => (task === '2' ? list : []),
    layFiles: async () => async () => undefined,
  } as unknown as NonNullable<Bench['ports']['heldOut']>;
}

const A: Work = { 'src/a': 'a' };
const B: Work = { 'src/b': 'b' };
const C: Work = { 'src/c': 'c' };
const has = (files: Files, ...names: string[]): boolean => names.every(name => `src/${name}` in files);
const NOBODY = { culprit: null, red: [], unclear: [] };

describe('of works that were proven one by one', () => {
  it('all go together where the suite says so, which is run once', async () => {
    const { runs, ...verdict } = await judge({ works: [A, B, C], red: () => [] });
    expect(verdict).toMatchObject(NOBODY);
    expect(runs).toHaveLength(1);
  });

  it('two that are red only together: the upper one is named, with the test', async () => {
    const red = ({ files }: Asked) => (has(files, 'a', 'b') ? ['test/old'] : []);
    expect(await judge({ works: [A, B], red })).toMatchObject({ culprit: 1, red: ['test/old'] });
  });

  it('one in the middle is named, and found by the red test alone', async () => {
    const red = ({ files }: Asked) => (has(files, 'b', 'a') ? ['test/old'] : []);
    const { culprit, runs } = await judge({ works: [A, B, C, { 'src/d': 'd' }], red });
    expect(culprit).toBe(1);
    expect(runs.filter(({ only }) => only === null)).toHaveLength(1);
  });

  it('the first of several is named where each is one', async () => {
    const red = ({ files }: Asked) =>
      Object.keys(files).filter(path => path.startsWith('src/')).length > 1 ? ['test/old'] : [];
    expect(await judge({ works: [A, B, C], red })).toMatchObject({ culprit: 1 });
  });

  it('one that does not go with what landed in the meantime is named although it is at the bottom', async () => {
    const tip = { ...TIP, 'src/landed': 'x' };
    const red = ({ files }: Asked) => (has(files, 'landed', 'a') ? ['test/old'] : []);
    expect(await judge({ tip, base: TIP, works: [A, B], red })).toMatchObject({ culprit: 0 });
  });

  it('one that breaks what another has just turned green is named, and not the other', async () => {
    // Red on the tip as well: there it waits to be done.
    const red = ({ files }: Asked) => (!has(files, 'a') || has(files, 'b') ? ['test/other'] : []);
    expect(await judge({ works: [A, B], red })).toMatchObject({ culprit: 1, red: ['test/other'] });
    expect(await judge({ works: [C, A, B], red })).toMatchObject({ culprit: 2 });
  });

  it('one whose own new test fails with those below it is named', async () => {
    const own = { ...B, 'test/b': '1' };
    const red = ({ files }: Asked) => (has(files, 'a', 'b') ? ['test/b'] : []);
    expect(await judge({ works: [A, own, C], red })).toMatchObject({ culprit: 1, red: ['test/b'] });
    expect(await judge({ works: [own, A, C], red })).toMatchObject({ culprit: 1, red: ['test/b'] });
  });

  it('one is found by the whole suite where its test is green alone', async () => {
    const red = ({ files, only }: Asked) => (has(files, 'a', 'b') && only === null ? ['test/old'] : []);
    expect(await judge({ works: [A, B, C], red })).toMatchObject({ culprit: 1, red: ['test/old'] });
  });

  it('one is found by the whole suite where its test is always red alone', async () => {
    const red = ({ files, only }: Asked) => (has(files, 'a', 'b') || only !== null ? ['test/old'] : []);
    expect(await judge({ works: [A, B, C], red })).toMatchObject({ culprit: 1, red: ['test/old'] });
  });
});

describe('nobody is named', () => {
  it('for a test that is red once and green again', async () => {
    const red = ({ files, only }: Asked) => (has(files, 'a', 'b') && only === null ? ['test/old'] : []);
    const once = (asked: Asked) => (asked.times === 0 ? red(asked) : []);
    expect(await judge({ works: [A, B], red: once })).toMatchObject(NOBODY);
  });

  it('for a test that a second look at the layer does not confirm', async () => {
    const red = ({ files, only, times }: Asked) => {
      const isTop = has(files, 'a', 'b', 'c', 'd');
      if (only === null) return isTop && times === 0 ? ['test/old'] : [];
      return isTop || (has(files, 'a', 'b') && times === 0) ? ['test/old'] : [];
    };
    const works = [A, B, C, { 'src/d': 'd' }];
    expect(await judge({ works, red })).toMatchObject(NOBODY);
  });

  it('for what is red on the tip as well, or was red on it all along', async () => {
    const tip = { ...TIP, 'src/broken': 'x' };
    const red = ({ files }: Asked) => (has(files, 'broken') ? ['test/old'] : []);
    expect(await judge({ tip, base: TIP, works: [A, B], red })).toMatchObject(NOBODY);
    expect(await judge({ works: [A, B], red: () => ['test/old'] })).toMatchObject(NOBODY);
  });

  it('for a flaky test, and for one that people live with', async () => {
    const red = ({ files }: Asked) => (has(files, 'a', 'b') ? ['test/old'] : []);
    const seen = { tree: 't', command: 'test', atMs: 1 };
    const evidence = (['failed', 'passed'] as const).map(outcome => ({ ...seen, outcome }));
    const flaky: HarnessEvent = { type: 'test.quarantined', id: 'test/old', evidence };
    expect(await judge({ works: [A, B], red, events: [flaky] })).toMatchObject(NOBODY);
  });

  it('for a test that one of them was allowed to take away or to rename', async () => {
    const renames: Work = { 'test/old': null, 'test/new': '1' };
    expect(await judge({ works: [renames, B], red: () => [] })).toMatchObject(NOBODY);
    expect(await judge({ works: [A, { 'test/old': null }], red: () => [] })).toMatchObject(NOBODY);
  });

  it('for an own test that the suite leaves out since, and that is green by itself', async () => {
    const own: Work = { ...B, 'test/b': '1' };
    const answer = ({ files, only }: Asked) =>
      only === null && has(files, 'a', 'b')
        ? {
            exitCode: 0,
            results: [
              { id: 'test/old', outcome: 'passed' as const },
              { id: 'test/other', outcome: 'passed' as const },
            ],
          }
        : undefined;
    const def = { testFile: 'test/b' };
    expect(await judge({ works: [A, own], red: () => [], answer, def })).toMatchObject(NOBODY);
  });

  it('where the suite can not be run on anything any more: that is said instead', async () => {
    let isDown = false;
    const red = ({ files }: Asked) => {
      isDown ||= has(files, 'a', 'b');
      return isDown ? ['test/old', 'test/other'] : [];
    };
    expect(await judge({ works: [A, B], red })).toEqual(
      expect.objectContaining({ culprit: null, unclear: ['test/old', 'test/other'] }),
    );
  });

  it('where what proved one of them is red even as it was: that is said instead', async () => {
    let isLate = false;
    const red = ({ files }: Asked) => {
      isLate ||= has(files, 'a', 'b');
      return !has(files, 'a') || isLate ? ['test/other'] : [];
    };
    expect(await judge({ works: [A, B], red })).toMatchObject({ culprit: null, unclear: ['test/other'] });
  });
});

describe('where the suite says less', () => {
  const testing = {
    ...simPolicy.testing,
    full: 'check all',
    feature: 'check {file}',
    runner: 'command',
  } as const;

  it('its exit code is asked of smaller stacks', async () => {
    const red = ({ files }: Asked) => (has(files, 'a', 'b') ? ['check all'] : []);
    const { culprit, runs } = await judge({ works: [A, B, C], red, policy: { testing } });
    expect(culprit).toBe(1);
    expect(new Set(runs.map(({ command }) => command))).toEqual(new Set(['check all']));
  });

  it('one that keeps it from coming to an end is named', async () => {
    const answer = ({ files }: Asked) =>
      has(files, 'a', 'b') ? { timedOut: true, exitCode: null, results: [] } : undefined;
    expect(await judge({ works: [A, B, C], red: () => [], answer })).toMatchObject({
      culprit: 1,
      red: ['test'],
    });
  });

  it('nobody is named for a suite that came to an end the second time, and what it says then counts', async () => {
    const hangs = ({ files, times, only }: Asked) =>
      has(files, 'a', 'b', 'c') && times === 0 && only === null
        ? { timedOut: true, exitCode: null, results: [] }
        : undefined;
    expect(await judge({ works: [A, B, C], red: () => [], answer: hangs })).toMatchObject(NOBODY);
    const red = ({ files }: Asked) => (has(files, 'a', 'b') ? ['test/old'] : []);
    expect(await judge({ works: [A, B, C], red, answer: hangs })).toMatchObject({
      culprit: 1,
      red: ['test/old'],
    });
  });

  it('nobody is named for one that ends on nothing, the tip neither', async () => {
    let isDown = false;
    const answer = ({ files }: Asked) => {
      isDown ||= has(files, 'a', 'b');
      return isDown ? { timedOut: true, exitCode: null, results: [] } : undefined;
    };
    expect(await judge({ works: [A, B], red: () => [], answer })).toMatchObject({
      culprit: null,
      unclear: ['test'],
    });
  });
});

describe('what proves a task outside the suite', () => {
  const def = { validation: { command: 'check it', timeoutSeconds: 60 } };
  const red = ({ files, command }: Asked) => (has(files, 'a', 'b') ? [command] : []);

  it('names the one that it does not pass with', async () => {
    const verdict = await judge({
      works: [A, B, C],
      red,
      def: { ...def, validation: def.validation } as Partial<TaskDef>,
    });
    expect(verdict).toMatchObject({ culprit: 1, red: ['validation: check it'] });
  });

  it('is asked where there is no suite at all', async () => {
    const testing = { ...simPolicy.testing, full: null, feature: null };
    const policy = { testing };
    expect(await judge({ works: [A, B], red, policy, def: def as Partial<TaskDef> })).toMatchObject({
      culprit: 1,
    });
    expect(await judge({ works: [A, C], red, policy, def: def as Partial<TaskDef> })).toMatchObject(NOBODY);
    expect(await judge({ works: [A, B], red, policy })).toMatchObject(NOBODY);
  });

  it('is not named where it is held out', async () => {
    const secret = 'test/secret-path';
    const redHeld = ({ files, only }: Asked) => (has(files, 'a', 'b') && only === secret ? [secret] : []);
    const answer = ({ files, only }: Asked) =>
      only === secret
        ? {
            exitCode: 0,
            results: [
              { id: secret, outcome: has(files, 'a', 'b') ? ('failed' as const) : ('passed' as const) },
            ],
          }
        : undefined;
    const verdict = await judge({ works: [A, B], red: redHeld, answer, heldOut: { [secret]: 'x' } });
    expect(verdict).toMatchObject({ culprit: 1, red: ['a held-out test'] });
  });
});

it('whatever collides with whatever, the rest is green, and whoever had to go is red with it and green without', async () => {
  const pair = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(2));
  const names = ['test/old', 'test/other', 'test/third'];
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 7 }),
      fc.array(pair, { maxLength: 6 }),
      fc.boolean(),
      async (count, pairs, isAlone) => {
        const tip = { ...TIP, 'test/third': '1', 'src/landed': 'x' };
        // Nobody breaks anything on what it was made on: one that collides by itself does so with what landed since.
        const redOf = (files: Files): string[] =>
          pairs.flatMap(([a, b, name]) =>
            has(files, `w${a}`, a === b ? 'landed' : `w${b}`) ? [names[name] as string] : [],
          );
        const red = ({ files, only }: Asked) => (isAlone || only === null ? redOf(files) : []);
        const base = { ...TIP, 'test/third': '1' };
        let rest = Array.from({ length: count }, (_, at): Work => ({ [`src/w${at}`]: 'x' }));
        for (;;) {
          const { culprit, red: tests } = await judge({ tip, base, works: rest, red });
          if (culprit === null) break;
          const below = rest.slice(0, culprit).reduce(put, tip);
          const guilty = rest[culprit] as Work;
          expect(redOf(below)).not.toContain(tests[0]);
          expect(redOf(put(below, guilty))).toContain(tests[0]);
          rest = rest.filter(work => work !== guilty);
        }
        expect(redOf(rest.reduce(put, tip))).toEqual([]);
      },
    ),
    { numRuns: 150, seed: 24 },
  );
});
