import { getShortCommit } from '../base/text.ts';
import type { AttemptRef, Checkpoint, ErrorCategory, PreflightCheck, Resumption } from '../model/facts.ts';
import { getSessionRole } from '../model/role.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { Attempt } from '../state/attempt.ts';
import { closeQuestions } from '../state/people.ts';
import type { State } from '../state/state.ts';
import { moveTask } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import { type EventTable, getNamedTask } from './kind.ts';
import { getAdoptedLine } from './recovery-lines.ts';

/** The beginning of an attempt, until its agent can start. */
export type AttemptEvent =
  | AttemptStarted
  | (AttemptRef & { readonly type: 'attempt.taken-over'; readonly worker: string; readonly reason: string })
  | (AttemptRef & {
      readonly type: 'attempt.prepared';
      readonly dir: string;
      readonly checkpoint: Checkpoint;
    })
  | (AttemptRef & { readonly type: 'preflight.passed'; readonly checks: readonly PreflightCheck[] })
  | (AttemptRef & {
      readonly type: 'preflight.failed';
      readonly checks: readonly PreflightCheck[];
      readonly reason: string;
      readonly category: ErrorCategory;
      /** The task was open again, and somebody else has put it right. */
      readonly mended?: true;
      /** What should prove it passes before any work: a person has to say what is to become of it. */
      readonly satisfied?: true;
      /** Tests of the base turned red that nobody answers for: nothing is begun on it. */
      readonly red?: readonly string[];
      /** What should prove it cannot be run: the others go on. */
      readonly unprovable?: true;
    });

type AttemptStarted = AttemptRef & {
  readonly type: 'attempt.started';
  readonly session: number;
  readonly worker: string;
  readonly slot: number;
  readonly base: string;
  readonly baseTree: string;
  readonly wip: string | null;
  /** Absent in records of an older harness. */
  readonly reserveUsd?: number;
  /** This attempt writes the task's test; another one will do the task. */
  readonly author?: true;
  readonly takesUp?: Resumption;
};

export const ATTEMPT_EVENTS: EventTable<AttemptEvent> = {
  'attempt.started': {
    level: 'routine',
    line: ({ task, attempt, session, base }) =>
      `▶ task ${task}, attempt ${attempt} (session ${session}, base ${base.slice(0, 10)})`,
    progress({ task, attempt, base }, state) {
      const title = state.tasks.get(task)?.def.title ?? '';
      return [`Starting [${task}] ${title} (base=${getShortCommit(base)} attempt=${attempt})`];
    },
    /** A task becomes active, with an attempt that has everything before it. */
    apply(state, event, { atMs, touched }) {
      const task = getNamedTask(state, event);
      if (state.active.has(event.task) || event.attempt <= task.started) {
        throw new Error(`attempt ${event.attempt} of task ${event.task} was started twice`);
      }
      if (state.recent.lastSession && state.recent.lastSession.task !== event.task)
        state.trouble.stuckCount = 0;
      task.started = event.attempt;
      state.totals.attempts++;
      state.sessions = Math.max(state.sessions, event.session);
      const attempt = createAttempt(event, atMs, task, state.backlog?.blob ?? null);
      attempt.host = state.workers.get(event.worker)?.host ?? null;
      state.active.set(event.task, attempt);
      moveTask(state, task, 'active', touched);
    },
  },
  'attempt.taken-over': {
    level: 'important',
    line: ({ task, reason }) => `  task ${task}: adopted (${reason})`,
    progress: ({ task, reason }, state) => [
      getAdoptedLine(task, state.active.get(task)?.stage ?? 'leased', reason),
    ],
    decision: ({ reason }) => ({ type: 'taken_over', reason }),
    advance({ state, attempt }, { worker }) {
      attempt.former = state.workers.get(attempt.worker) ?? attempt.former;
      attempt.worker = worker;
      const { host } = state.workers.get(worker) ?? attempt;
      if (attempt.host !== null && attempt.host !== host) leaveHost(attempt);
      attempt.host = host;
    },
  },
  'attempt.prepared': {
    level: 'routine',
    progress: ({ task, checkpoint }) => [
      `CHECKPOINT [${task}] ${checkpoint.reason} (commit ${getShortCommit(checkpoint.commit)})`,
    ],
    advance({ state, attempt, atMs }, { task, attempt: number, dir, checkpoint }) {
      attempt.stage = 'prepared';
      attempt.dir = dir;
      attempt.checkpoint = checkpoint;
      state.checkpoints.push({ task, attempt: number, atMs, checkpoint });
    },
  },
  'preflight.passed': {
    level: 'routine',
    progress: ({ task, checks }) => [
      // Said only where somebody was asked: a project may have neither.
      ...(checks.some(({ name }) => name === 'health' || name === 'init')
        ? ['INIT Environment health check: PASS']
        : []),
      ...checks.flatMap(({ name, warning, detail }) =>
        warning ? [`WARN [${task}] ${name}: ${detail}`] : [],
      ),
    ],
    advance({ state, attempt }) {
      attempt.stage = 'ready';
      state.trouble.broken = null;
      closeQuestions(state.people, ({ kind }) => kind === 'sanity' || kind === 'reset');
    },
  },
  'preflight.failed': {
    level: 'important',
    line: ({ task, reason }) => `  task ${task}: preflight failed: ${reason}`,
    progress: ({ task, category, reason }) => [`ERROR [${task}] [${category}] ${reason}`],
    advance({ state, attempt }, event) {
      const { task, attempt: number, reason, category, mended: fixed, satisfied, unprovable, red } = event;
      if (category === 'ENV_SETUP' && !unprovable) state.trouble.broken = { task, attempt: number, reason };
      if (red) refuseBase(state, attempt.base);
      attempt.preflightFailure = {
        reason,
        category,
        fixed: fixed ?? false,
        satisfied: satisfied ?? false,
        unprovable: unprovable ?? false,
      };
    },
  },
};

/** What was laid out for it lies on a machine that nobody here can reach; what it had handed in was pushed. */
function leaveHost(attempt: Attempt): void {
  attempt.leftHost = attempt.host;
  attempt.dir = null;
  if (attempt.stage !== 'prepared' && attempt.stage !== 'ready') return;
  attempt.stage = 'leased';
  attempt.checkpoint = null;
  attempt.preflightFailure = null;
}

/** Nothing is begun on this base; whoever said that it is put right hears that it is not. */
function refuseBase({ suite, people }: State, commit: string): void {
  suite.redBase = { commit };
  for (const id of people.waived) if (id.startsWith('regression-')) people.waived.delete(id);
}

function createAttempt(
  event: AttemptStarted,
  startedAtMs: number,
  task: TaskState,
  backlogBlob: string | null,
): Attempt {
  return {
    task: event.task,
    number: event.attempt,
    session: event.session,
    startedAtMs,
    slot: event.slot,
    base: event.base,
    baseTree: event.baseTree,
    firstBase: event.base,
    backlogBlob: backlogBlob,
    startWip: event.wip,
    resumes: event.takesUp ?? null,
    worker: event.worker,
    former: null,
    host: null,
    leftHost: null,
    reserve: { usd: event.reserveUsd ?? null, taskUsdBefore: task.usage.costUsd },
    stage: 'leased',
    dir: null,
    checkpoint: null,
    agent: {
      provider: null,
      model: null,
      role: getSessionRole(event.wip, task.def, event.author),
      spent: NO_USAGE,
      outcome: event.takesUp ? 'claimed' : null,
      summary: '',
      sessionNote: null,
      question: null,
      evidence: null,
      sessionId: null,
      contextShare: 0,
      usage: NO_USAGE,
      startedAtMs: null,
      endedAtMs: null,
    },
    left: null,
    preflightFailure: null,
    candidate: null,
    shownTree: null,
    judged: null,
    landing: null,
    queuedAtMs: null,
    isAuthor: event.author === true,
    tests: event.author ? {} : (task.authored?.files ?? {}),
    rejections: [],
    steps: 0,
    round: 0,
    reviews: null,
    feedback: null,
  };
}
