import { getFirstLine, getInBrackets } from '../base/text.ts';
import { getUtcMinute } from '../base/utc-minute.ts';
import type { AgentErrorKind } from '../model/agent-event.ts';
import type { ControlRequest, EventLevel, WorkerRef } from '../model/facts.ts';
import { noteFailed } from '../state/provider-trouble.ts';
import { setMaxFileLines } from '../state/quality.ts';
import type { State } from '../state/state.ts';
import { getTotal } from '../state/task-moves.ts';
import { isBlockedByDependency } from '../state/task-state.ts';
import type { EventTable } from './kind.ts';

/** Workers: their lives, what people tell them, and the providers that they lean on. */
export type WorkerEvent =
  | {
      readonly type: 'worker.started';
      readonly worker: WorkerRef;
      readonly version: string;
      /** What the project may cost in all, as this worker was told. */
      readonly budgetUsd?: number;
      /** From what length its project calls a file too long. */
      readonly maxFileLines?: number;
    }
  | { readonly type: 'worker.stopped'; readonly workerId: string; readonly reason: string }
  /** A person's word to every worker there is at that moment. */
  | (ControlRequest & { readonly type: 'control.changed' })
  | {
      readonly type: 'provider.failed';
      readonly provider: string;
      readonly kind: AgentErrorKind;
      readonly message: string;
      /** How often in a row it has failed this way. */
      readonly count: number;
      readonly response: 'wait' | 'pause' | 'abort' | 'count';
      /** When it may be tried again; null when that is not a matter of time. */
      readonly untilMs: number | null;
    }
  /** More tokens than the project meant to use; said once for each ceiling, and nothing stops. */
  | { readonly type: 'budget.ceiling-reached'; readonly tokens: number; readonly ceilingTokens: number }
  | {
      readonly type: 'note.added';
      readonly level: EventLevel;
      readonly text: string;
      readonly task?: string;
    };

export const WORKER_EVENTS: EventTable<WorkerEvent> = {
  'worker.started': {
    level: 'routine',
    progress: ({ worker }) => [`LOCK acquired (pid=${worker.pid} host=${worker.host} worker=${worker.id})`],
    apply(state, { worker, budgetUsd, maxFileLines }) {
      state.workers.set(worker.id, worker);
      state.costs.budgetUsd = budgetUsd ?? state.costs.budgetUsd;
      if (maxFileLines !== undefined) setMaxFileLines(state.quality, maxFileLines);
    },
  },
  'worker.stopped': {
    level: 'routine',
    progress: ({ workerId, reason }, state) => [
      `LOCK released (worker=${workerId} reason="${reason}")`,
      getStats(state),
    ],
    apply(state, { workerId }) {
      state.workers.delete(workerId);
    },
  },
  'control.changed': {
    level: 'important',
    line: ({ by, mode, reason }) => `${by}: ${CONTROL[mode]}${getInBrackets(getFirstLine(reason))}`,
    progress: ({ by, mode, reason }) => [`CHECKPOINT ${by}: ${mode}${getInBrackets(reason)}`],
    apply(state, { mode, by, reason }) {
      state.people.control = { mode, by, reason, workers: new Set(state.workers.keys()) };
    },
  },
  'provider.failed': {
    level: 'important',
    line: ({ provider, kind, response, untilMs, message }) => {
      const until = untilMs === null ? '' : ` until ${getUtcMinute(untilMs)} UTC`;
      return `  provider ${provider}: ${kind}, ${response}${until}: ${getFirstLine(message)}`;
    },
    progress: ({ provider, kind, response, message }) => [
      `WARN provider ${provider}: ${kind} (${response}) ${message}`,
    ],
    apply(state, { provider, kind, message, count, untilMs }, { atMs }) {
      noteFailed(state, { provider, kind, message, count, untilMs }, atMs);
    },
  },
  'budget.ceiling-reached': {
    level: 'important',
    line: ({ tokens, ceilingTokens }) =>
      `  note: ${tokens} tokens used, more than the ${ceilingTokens} of costs.ceiling_tokens; nothing stops for that`,
    progress: ({ tokens, ceilingTokens }) => [
      `WARN budget_ceiling_reached tokens=${tokens} ceiling=${ceilingTokens}`,
    ],
    decision: ({ tokens, ceilingTokens }) => ({
      type: 'budget_ceiling_reached',
      tokens,
      ceiling: ceilingTokens,
    }),
    apply(state, { ceilingTokens }) {
      state.costs.ceilingTokens = ceilingTokens;
    },
  },
  'note.added': {
    level: ({ level }) => level,
    line: ({ text }) => `  note: ${text}`,
    progress({ level, task, text }) {
      if (level !== 'critical' && level !== 'important') return [];
      return [`WARN ${task === undefined ? '' : `[${task}] `}${text}`];
    },
    decision: ({ level, text }) => (level === 'critical' ? { type: 'note', text } : null),
  },
};

const CONTROL: Readonly<Record<ControlRequest['mode'], string>> = {
  running: 'go on',
  paused: 'pause after the current operation',
  stopped: 'stop after the current attempt',
};

function getStats({ open, counts, totals }: State): string {
  const waiting = [...open.values()].filter(isBlockedByDependency).length;
  const pending = counts.pending + counts.retry + counts.active - waiting;
  const numbers = {
    tasks_total: getTotal({ counts }),
    completed: counts.landed,
    failed: counts.failed,
    pending,
    blocked: counts.blocked + waiting,
    attempts_total: totals.attempts,
    checkpoints: totals.steps,
  };
  const pairs = Object.entries(numbers).map(([name, value]) => `${name}=${value}`);
  return `STATS ${pairs.join(' ')}`;
}
