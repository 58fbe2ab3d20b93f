import { getShellQuoted } from '../base/shell-quoted.ts';
import type { HarnessEvent, StoredEvent } from '../events/event.ts';
import type { OpenQuestion } from '../model/question.ts';
import { compareIds } from '../model/task.ts';
import { getTestFile } from '../model/testing.ts';
import { getReopened, isDoneByHand } from '../state/regression.ts';
import type { State } from '../state/state.ts';
import { getTotal } from '../state/task-moves.ts';
import { isBlockedByDependency, isHandedOff, type TaskState } from '../state/task-state.ts';
import {
  type AttemptWithoutLanding,
  getAttemptsWithoutLanding,
  getLandedWarnings,
} from './attempts-without-landing.ts';
import { getForecast, getTestCounts, type HealthInput } from './health.ts';
import { getSessionRecords, type SessionRecord } from './session-records.ts';

/** What a person wants to know in the morning. Nothing is listed as proven that the record does not prove. */
export interface Report {
  readonly project: string;
  /** Tests at the last look, which every landing is. */
  readonly tests: HealthInput['tests'];
  readonly fromMs: number;
  readonly toMs: number;
  readonly costUsd: number;
  readonly tasks: { readonly total: number; readonly landed: number; readonly open: number };
  readonly proven: readonly ProvenItem[];
  readonly unproven: readonly Item[];
  /** Landed once, and broken by a later change. */
  readonly reopened: readonly Item[];
  /** Attempts that did not land, one each. */
  readonly rejected: readonly RejectedItem[];
  readonly waiting: readonly WaitingItem[];
  readonly spend: readonly SpendItem[];
  /** Sessions that were over in that time. */
  readonly sessions: readonly SessionRecord[];
  readonly timeline: readonly { readonly atMs: number; readonly event: StoredEvent }[];
  readonly risks: readonly string[];
  readonly next: readonly string[];
}

export interface Item {
  readonly task: string;
  readonly title: string;
  readonly why: string;
}

export interface ProvenItem {
  readonly task: string;
  readonly title: string;
  readonly commit: string;
  readonly proof: string;
  readonly attempt: number;
}

export interface RejectedItem extends AttemptWithoutLanding {
  readonly title: string;
}

export interface WaitingItem extends Item {
  readonly how: string;
}

export interface SpendItem {
  readonly task: string;
  readonly title: string;
  readonly sessions: number;
  readonly costUsd: number;
}

/** What was recorded in a span of time; what waits, each task's spending and what comes next are as of now. */
export function getReport(
  state: State,
  events: readonly StoredEvent[],
  span: { readonly fromMs: number; readonly toMs: number },
): Report {
  const isRecent = ({ atMs }: StoredEvent) => atMs >= span.fromMs && atMs <= span.toMs;
  const recent = events.filter(isRecent);
  const { landed } = state.counts;
  const total = getTotal(state);
  const waiting = getWaiting(state);
  return {
    project: state.project,
    tests: getTestCounts(state),
    ...span,
    costUsd: getSpentUsd(events, isRecent),
    tasks: { total, landed, open: total - landed },
    proven: getProven(state, events, recent),
    unproven: getUnproven(state, events),
    reopened: getReopened(state).map(({ task, reason }) => ({
      ...{ task, title: getTitle(state, task), why: reason },
    })),
    rejected: getAttemptsWithoutLanding(recent).map(one => ({ ...one, title: getTitle(state, one.task) })),
    waiting,
    spend: getSpend(state),
    sessions: getSessionRecords(state).filter(
      ({ endedAtMs }) => endedAtMs >= span.fromMs && endedAtMs <= span.toMs,
    ),
    timeline: recent.flatMap(event => (isReported(event.event) ? [{ atMs: event.atMs, event }] : [])),
    risks: [...getRisks(state), ...getLandedWarnings(events, recent)],
    next: getNext(state, waiting),
  };
}

/** Landed in this span, with a verdict of `proven` on record for that very attempt. */
function getProven(
  state: State,
  events: readonly StoredEvent[],
  recent: readonly StoredEvent[],
): ProvenItem[] {
  const proofs = getProofs(events);
  return recent.flatMap(({ event }) => {
    if (event.type !== 'task.landed') return [];
    const proof = proofs.get(`${event.task}#${event.attempt}`);
    // What a later change broke is proven no more, whatever was so then.
    if (proof === undefined || state.tasks.get(event.task)?.reopened) return [];
    const { task, commit, attempt } = event;
    return [{ task, title: getTitle(state, task), commit, proof, attempt }];
  });
}

/** The hash of the last proof of each attempt whose last verdict was `proven`. */
function getProofs(events: readonly StoredEvent[]): ReadonlyMap<string, string> {
  const proofs = new Map<string, string>();
  for (const { event } of events) {
    if (event.type !== 'verdict.given') continue;
    const key = `${event.task}#${event.attempt}`;
    if (event.verdict.word === 'proven') proofs.set(key, event.proof.hash ?? event.proof.sha256);
    else proofs.delete(key);
  }
  return proofs;
}

/** Counted as done without a proof of ours: marked so in the backlog, or by a person. */
function getUnproven(state: State, events: readonly StoredEvent[]): Item[] {
  const proofs = getProofs(events);
  const isProven = ({ def, landed }: TaskState) =>
    landed !== null && proofs.has(`${def.id}#${landed.attempt}`);
  return getTasks(state)
    .filter(task => task.status === 'landed' && !isProven(task) && !isDoneByHand(task))
    .map(({ def, landed }) => {
      const unproven = landed?.unproven;
      const word = unproven
        ? `${unproven.satisfied ? 'its own tests stand for it, ' : ''}by the word of ${unproven.by}: ${unproven.reason}`
        : 'marked as done, never proven here';
      const red = state.suite.checked?.marked.find(({ task }) => task === def.id)?.tests[0];
      const why = red === undefined ? word : `${word}; its own ${red} fails`;
      return { task: def.id, title: def.title, why };
    });
}

/** Questions about the project first; a task that stopped is named by its question, or by what it waits for. */
function getWaiting(state: State): WaitingItem[] {
  const about = [...state.people.questions.values()].filter(({ task }) => task === null);
  const stopped = getTasks(state).filter(({ status }) => status === 'blocked' || status === 'failed');
  return [
    ...about.map(question => ({ task: question.id, title: question.title, ...getAsked(question) })),
    ...stopped.map(task => {
      const question = state.people.questions.get(task.people.question ?? '');
      const why = task.blockedReason ?? task.history.at(-1)?.reason ?? 'blocked';
      const how = `harness reset ${getShellQuoted(task.def.id)}`;
      return { task: task.def.id, title: task.def.title, ...(question ? getAsked(question) : { why, how }) };
    }),
  ];
}

function getAsked({ id, what, why, options }: OpenQuestion): Pick<WaitingItem, 'why' | 'how'> {
  const keys = options.map(({ key }) => key).join(' | ');
  return { why: why ? `${what} ${why}` : what, how: `harness answer ${getShellQuoted(id)} ${keys}` };
}

function getSpend(state: State): SpendItem[] {
  return getTasks(state)
    .filter(({ usage, sessions }) => usage.costUsd > 0 || sessions > 0)
    .map(({ def, sessions, usage }) => ({ task: def.id, title: def.title, sessions, costUsd: usage.costUsd }))
    .sort((a, b) => b.costUsd - a.costUsd || compareIds(a.task, b.task));
}

function getRisks(state: State): string[] {
  const forecast = getForecast(state);
  const open = state.counts.pending + state.counts.retry + state.counts.active;
  const shaky = [...state.suite.quarantine.values()].length;
  const red = countRed(state);
  return [
    ...(forecast?.tasksLeft != null && forecast.tasksLeft < open
      ? [
          `the money left ($${forecast.leftUsd.toFixed(2)}) is enough for about ${forecast.tasksLeft} of ${open} tasks`,
        ]
      : []),
    ...(shaky > 0 ? [`tests that cannot be relied on: ${shaky} (they neither block nor prove)`] : []),
    ...(red > 0 ? [`tests that fail on the base already: ${red}`] : []),
    ...getTasks(state)
      .filter(task => task.status === 'retry' && task.attempts + 1 >= task.def.maxAttempts)
      .map(task => `task ${task.def.id} has one attempt left of ${task.def.maxAttempts}`),
    ...[...state.trouble.providers].map(
      ([name, failed]) => `provider ${name}: ${failed.kind}: ${failed.message}`,
    ),
  ];
}

/** Tests of tasks that are still open are red as they should be. */
function countRed(state: State): number {
  const open = new Set(
    getTasks(state).flatMap(({ def, status }) => (status === 'landed' ? [] : (def.testFile ?? []))),
  );
  return (state.suite.baseline?.failing ?? []).filter(id => !open.has(getTestFile(id))).length;
}

function getNext(state: State, waiting: readonly WaitingItem[]): string[] {
  const next = state.ready.peek();
  const asked = state.people.questions.size + state.people.unasked.size;
  const behind = getTasks(state).filter(isBlockedByDependency).length;
  return [
    ...(next === null ? [] : [`harness run takes task ${next}: ${getTitle(state, next)}`]),
    ...(asked > 0 ? [`harness inbox: ${asked} ${asked === 1 ? 'thing waits' : 'things wait'} for you`] : []),
    ...getTasks(state)
      .filter(isHandedOff)
      .map(({ def }) => `harness takeback ${getShellQuoted(def.id)}, when you are done with it`),
    ...(behind > 0 ? [`${behind} tasks wait behind those`] : []),
    ...(next === null && waiting.length === 0 ? [getNothingLeft(state)] : []),
  ];
}

function getNothingLeft({ tasks }: State): string {
  if (tasks.size > 0) return 'everything is done: harness add "what comes next" --test-file <path>';
  return 'the backlog is empty: harness add "what should be built" --test-file <path>';
}

const REPORTED: readonly HarnessEvent['type'][] = [
  'attempt.started',
  'verdict.given',
  'task.landed',
  'attempt.ended',
  'task.blocked',
  'human.answered',
  'question.asked',
  'question.answered',
  'task.overridden',
];

function isReported(event: HarnessEvent): boolean {
  return REPORTED.includes(event.type);
}

function getTasks(state: State): TaskState[] {
  return [...state.tasks.values()]
    .filter(({ status }) => status !== 'removed')
    .sort((a, b) => compareIds(a.def.id, b.def.id));
}

function getTitle(state: State, task: string): string {
  return state.tasks.get(task)?.def.title ?? '';
}

/** What was spent in a span of the record: every dollar once, in the moment that it became known. */
function getSpentUsd(events: readonly StoredEvent[], isRecent: (event: StoredEvent) => boolean): number {
  const underWay = new Map<string, number>();
  let sum = 0;
  for (const stored of events) {
    const spentUsd = getNewlySpentUsd(stored.event, underWay);
    if (isRecent(stored)) sum += spentUsd;
  }
  return sum;
}

/** The end of a session says what it used in all, of which a part has been recorded as it went. */
function getNewlySpentUsd(event: HarnessEvent, underWay: Map<string, number>): number {
  if (event.type === 'planner.spent') return event.usage.costUsd;
  if (event.type === 'verdict.given')
    return event.checks.reduce((sum, { usage }) => sum + (usage?.costUsd ?? 0), 0);
  if (event.type !== 'session.spent' && event.type !== 'session.ended') return 0;
  const key = `${event.task}#${event.attempt}`;
  const { costUsd } = event.usage;
  const before = underWay.get(key) ?? 0;
  if (event.type === 'session.spent') {
    if (event.role === undefined) underWay.set(key, before + costUsd);
    return costUsd;
  }
  underWay.delete(key);
  return Math.max(0, costUsd - before);
}
