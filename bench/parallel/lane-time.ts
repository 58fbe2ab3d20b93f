import type { Reporter } from '../../src/ports/index.ts';

/** What the lanes of a run spent their time on. */
export interface LaneTime {
  /** Told of one lane what it does. */
  watch(reporter: Reporter): Reporter;
  /** Nothing more is to be begun: a lane that waits from now on does so because the bench ends. */
  noteLast(): void;
  /** All that was spent until now, by step; `wait` is a lane's that found nothing to do while there was something. */
  end(): ReadonlyMap<string, number>;
}

interface Span {
  readonly phase: string;
  readonly fromMs: number;
}

/** A clock for each lane that is told of. */
export function createLaneTime(): LaneTime {
  const spent = new Map<string, number>();
  const open = new Map<symbol, Span>();
  let lastMs = 0;
  const close = (lane: symbol): void => {
    const span = open.get(lane);
    if (!span) return;
    const nowMs = performance.now();
    const untilMs = span.phase === 'wait' ? Math.max(span.fromMs, Math.min(nowMs, lastMs)) : nowMs;
    spent.set(span.phase, (spent.get(span.phase) ?? 0) + untilMs - span.fromMs);
  };
  return {
    watch(reporter) {
      const lane = Symbol('lane');
      return {
        ...reporter,
        phase(task, phase) {
          // What a check says of itself is no step.
          if (!phase.includes(': ')) {
            close(lane);
            open.set(lane, { phase, fromMs: performance.now() });
          }
          reporter.phase(task, phase);
        },
      };
    },
    noteLast: () => {
      lastMs = performance.now();
    },
    end() {
      for (const lane of open.keys()) close(lane);
      open.clear();
      return spent;
    },
  };
}
