import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../model/agent-event.ts';
import type { MonitorRules } from '../model/policy.ts';
import { NO_USAGE } from '../model/usage.ts';
import { createMonitor, type MonitorCommand, monitor } from './monitor.ts';

const rules: MonitorRules = {
  contextTokens: 200_000,
  warnShare: 0.75,
  wrapUpShare: 0.9,
  checkEveryTokens: 50_000,
  stopAfterStuckChecks: 2,
  maxRepeatedErrors: 5,
  stuckWarning: 'try another way',
  firstEventMs: 120_000,
  idleMs: 900_000,
  warnAtMs: 3_000_000,
  endAtMs: 3_600_000,
};

const use = (inputTokens: number, contextTokens?: number): AgentEvent => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 0, cachedTokens: 0, costUsd: 0 },
  ...(contextTokens === undefined ? {} : { contextTokens }),
});
const run = (command: string, exitCode = 0, output = ''): AgentEvent => ({
  type: 'command',
  command,
  exitCode,
  output,
});
const write: AgentEvent = { type: 'file', action: 'write', path: 'a.ts' };
const talk: AgentEvent = { type: 'text', text: 'thinking' };

type Seen = AgentEvent | { readonly waitMs: number };

/** Plays a session: each event one second after the last, or a stretch of silence looked at once a minute. */
function play(seen: readonly Seen[], overrides: Partial<MonitorRules> = {}): MonitorCommand[] {
  let state = createMonitor(0);
  let atMs = 0;
  const commands: MonitorCommand[] = [];
  const look = (event: AgentEvent | null): void => {
    const result = monitor(state, { atMs, event }, { ...rules, ...overrides });
    state = result.state;
    commands.push(...result.commands);
  };
  for (const item of seen) {
    if ('waitMs' in item) {
      for (const endMs = atMs + item.waitMs; atMs < endMs; ) {
        atMs = Math.min(atMs + 60_000, endMs);
        look(null);
      }
    } else {
      atMs += 1_000;
      look(item);
    }
  }
  return commands;
}

const say = (commands: readonly MonitorCommand[]): string[] =>
  commands.map(command => (command.type === 'inject' ? `inject: ${command.why}` : `stop ${command.cause}`));

describe('context', () => {
  it.each([
    ['below the first threshold nothing is said', [149_000], []],
    ['at 75 % a warning', [150_000], ['inject: context at 75 %']],
    ['the warning comes once', [150_000, 160_000], ['inject: context at 75 %']],
    [
      'at 90 % it is told to wrap up',
      [150_000, 180_000],
      ['inject: context at 75 %', 'inject: context at 90 %'],
    ],
    ['a jump past both asks to wrap up only', [185_000, 186_000], ['inject: context at 92 %']],
    ['at 100 % it is stopped, once', [200_000, 210_000], ['stop context']],
  ])('%s', (_fact, fills, expected) => {
    expect(say(play(fills.map(fill => use(10, fill))))).toEqual(expected);
  });

  it('adds up what is told in increments; what comes from a cache was there before', () => {
    const cached = { ...use(1_000), usage: { ...NO_USAGE, inputTokens: 1_000, cachedTokens: 150_000 } };
    const parts = [
      write,
      use(100_000),
      write,
      use(49_000),
      cached as AgentEvent,
      write,
      use(30_000),
      use(20_000),
    ];
    expect(say(play(parts))).toEqual(['inject: context at 75 %', 'inject: context at 90 %', 'stop context']);
  });

  it('is handed over in five steps', () => {
    const [, wrapUp] = play([use(1, 150_000), use(1, 180_000)]);
    expect(wrapUp).toMatchObject({ text: expect.stringMatching(/1\. Stop[\s\S]*5\. End your turn/) });
  });
});

describe('progress', () => {
  it('warns after one empty stretch and stops after two in a row', () => {
    expect(say(play([use(50_000), use(50_000)].map(event => ({ ...event, contextTokens: 1 }))))).toEqual([
      'inject: no file, no test and 0 commands in 50000 tokens',
      'inject: stuck: no file, no test and 0 commands in 50000 tokens, 2 times in a row',
      'stop stuck',
    ]);
  });

  it('asks for the blocker before it stops', () => {
    const texts = play([use(50_000, 1), use(50_000, 1)]).flatMap(one =>
      one.type === 'inject' ? [one.text] : [],
    );
    expect(texts).toEqual(['try another way', expect.stringContaining('Document the blocker')]);
  });

  it('looks once more at half of the context, and says nothing where something was done', () => {
    const rare = { checkEveryTokens: 120_000 };
    const half = `inject: half of the context is used, with no file, no test and 0 commands in 100000 tokens`;
    expect(say(play([use(60_000), use(40_000), use(10_000)], rare))).toEqual([half]);
    expect(say(play([use(60_000), write, use(40_000), use(10_000)], rare))).toEqual([]);
  });

  it.each([
    ['a file was written', [write]],
    ['a test was run', [run('npx vitest run')]],
    ['three commands were run', [run('ls'), run('cat a'), run('git log')]],
  ])('is there when %s', (_fact, done) => {
    expect(say(play([...done, use(50_000, 1), ...done, use(50_000, 1)]))).toEqual([]);
  });

  it('starts counting afresh after a good stretch', () => {
    const seen = [use(50_000, 1), write, use(50_000, 1), use(50_000, 1)];
    expect(play(seen).filter(command => command.type === 'stop')).toEqual([]);
  });

  it('does not take reading for doing', () => {
    const read: AgentEvent = { type: 'file', action: 'read', path: 'a.ts' };
    expect(say(play([read, read, read, use(50_000, 1)]))).toHaveLength(1);
  });
});

describe('repeated errors', () => {
  const fail = (n: number) => run('npm test', 1, `line ${n}\nError: cannot find module x at 0x${n}f:${n}\n`);

  it('are named at the fifth time, numbers and addresses aside', () => {
    expect(say(play([1, 2, 3, 4].map(fail)))).toEqual([]);
    expect(say(play([1, 2, 3, 4, 5].map(fail)))).toEqual(['inject: the same error 5 times']);
  });

  it('are not counted together when they differ', () => {
    const others = ['a', 'b', 'c', 'd', 'e'].map(word => run('npm test', 1, `Error: ${word} is missing`));
    expect(say(play(others))).toEqual([]);
  });

  it('are none when commands succeed', () => {
    expect(say(play(Array.from({ length: 9 }, () => run('grep error log', 0, 'Error: in a log'))))).toEqual(
      [],
    );
  });
});

describe('time', () => {
  it('stops an agent that never says anything', () => {
    expect(say(play([{ waitMs: 120_000 }]))).toEqual(['stop silent']);
  });

  it('stops an agent that has gone quiet, once', () => {
    expect(say(play([talk, { waitMs: 2_000_000 }]))).toEqual(['stop idle']);
  });

  it('warns once before the time is up', () => {
    const slow = Array.from({ length: 8 }, () => [talk, { waitMs: 600_000 }]).flat();
    expect(say(play(slow))).toEqual(['inject: time is nearly up']);
    expect(play(slow)).toMatchObject([{ text: expect.stringContaining(': 10 minutes are left') }]);
  });

  it('lets a slow but healthy agent be', () => {
    const slow = Array.from({ length: 4 }, () => [
      run('npm test'),
      { waitMs: 700_000 },
      write,
      use(60_000, 50_000),
    ]).flat();
    expect(say(play(slow, { warnAtMs: Number.POSITIVE_INFINITY }))).toEqual([]);
  });
});
