import type { AgentEvent } from '../model/agent-event.ts';
import type { MonitorRules } from '../model/policy.ts';
import { getContextTokens } from '../model/usage.ts';
import { SESSION_NOTE_FILE } from './session-note.ts';

/** Something the agent did, or only the passing of time. */
export type Observation = { readonly atMs: number; readonly event: AgentEvent | null };

/** Why a session is ended before the agent ends it. */
export type StopCause = 'context' | 'stuck' | 'silent' | 'idle';

/** What should be done about what was seen; data, so that a test needs no agent. */
export type MonitorCommand =
  | { readonly type: 'inject'; readonly text: string; readonly why: string }
  | { readonly type: 'stop'; readonly cause: StopCause; readonly why: string };

/** Everything the monitors remember of a session. */
export interface MonitorState {
  readonly context: ContextWatch;
  readonly progress: ProgressWatch;
  readonly errors: ErrorWatch;
  readonly time: TimeWatch;
}

export function createMonitor(startedMs: number): MonitorState {
  return {
    context: createContextWatch(),
    progress: createProgressWatch(),
    errors: createErrorWatch(),
    time: createTimeWatch(startedMs),
  };
}

/** One observation through all monitors; each sees it once, and all their commands come back in order. */
export function monitor(
  state: MonitorState,
  seen: Observation,
  rules: MonitorRules,
): { readonly state: MonitorState; readonly commands: readonly MonitorCommand[] } {
  const context = watchContext(state.context, seen, rules);
  const progress = watchProgress(state.progress, seen, rules);
  const errors = watchErrors(state.errors, seen, rules);
  const time = watchTime(state.time, seen, rules);
  return {
    state: { context: context.state, progress: progress.state, errors: errors.state, time: time.state },
    commands: [...context.commands, ...progress.commands, ...errors.commands, ...time.commands],
  };
}

/** How full the agent's context has been seen to be. */
interface ContextWatch {
  readonly tokens: number;
  readonly warned: boolean;
  readonly wrappingUp: boolean;
  readonly stopped: boolean;
}

function createContextWatch(): ContextWatch {
  return { tokens: 0, warned: false, wrappingUp: false, stopped: false };
}

/** Warns at the first threshold, asks to wrap up at the second, stops when nothing is left. */
function watchContext(
  before: ContextWatch,
  { event }: Observation,
  rules: MonitorRules,
): { state: ContextWatch; commands: readonly MonitorCommand[] } {
  if (event?.type !== 'usage' || before.stopped) return { state: before, commands: [] };
  const state = { ...before, tokens: getContextTokens(before.tokens, event) };
  const share = state.tokens / rules.contextTokens;
  const percent = Math.floor(share * 100);
  if (share >= 1) {
    const why = `the context is full (${percent} %)`;
    return { state: { ...state, stopped: true }, commands: [{ type: 'stop', cause: 'context', why }] };
  }
  if (share >= rules.wrapUpShare && !state.wrappingUp) {
    const command = { type: 'inject', text: WRAP_UP, why: `context at ${percent} %` } as const;
    return { state: { ...state, warned: true, wrappingUp: true }, commands: [command] };
  }
  if (share >= rules.warnShare && !state.warned) {
    const command = { type: 'inject', text: getWarning(percent), why: `context at ${percent} %` } as const;
    return { state: { ...state, warned: true }, commands: [command] };
  }
  return { state, commands: [] };
}

function getWarning(percent: number): string {
  return `${percent} % of your context is used. Aim for a state that somebody else can go on from, and finish only what is close to done. If that is not near, write down how far you are.`;
}

const LEAVE_WORD = `with the tool save_handoff or as ${SESSION_NOTE_FILE} (phase, completed, next_step, critical_files, memory_notes)`;

const WRAP_UP = [
  'Your context is nearly full. From here on:',
  '1. Stop implementing.',
  `2. Write down where exactly you stopped, ${LEAVE_WORD}.`,
  '3. Say there what is done, what is half done and what is left.',
  '4. Leave your files as they are: unfinished work is kept.',
  '5. End your turn: the next session goes on from there.',
  'A clean handover is worth more than a rushed finish.',
].join('\n');

/** How often each error has come back since anything else worked on it. */
interface ErrorWatch {
  readonly counts: Readonly<Record<string, number>>;
}

/** More different errors than this and the oldest are forgotten. */
const MAX_KINDS = 50;

function createErrorWatch(): ErrorWatch {
  return { counts: {} };
}

/** The same error again and again means that the way is wrong, not the step. */
function watchErrors(
  state: ErrorWatch,
  { event }: Observation,
  rules: MonitorRules,
): { state: ErrorWatch; commands: readonly MonitorCommand[] } {
  const key = event && getErrorKey(event);
  if (!key) return { state, commands: [] };
  const count = (state.counts[key] ?? 0) + 1;
  const { [key]: _, ...others } = state.counts;
  const kept = Object.entries(others).slice(-MAX_KINDS + 1);
  const next = { counts: { ...Object.fromEntries(kept), [key]: count } };
  if (count % rules.maxRepeatedErrors !== 0) return { state: next, commands: [] };
  const text = `The same error has come back ${count} times: "${key.slice(0, 200)}". This way does not lead anywhere. Step back, find the cause, and try something different in kind.`;
  return { state: next, commands: [{ type: 'inject', text, why: `the same error ${count} times` }] };
}

/** What makes two errors the same: the command and its last telling line, without numbers and paths that change. */
function getErrorKey(event: AgentEvent): string | null {
  if (event.type === 'error') return `${event.kind}: ${normalise(event.message)}`;
  if (event.type !== 'command' || event.exitCode === 0 || event.exitCode === null) return null;
  const lines = event.output.split('\n').map(line => line.trim());
  const telling =
    lines.findLast(line => /error|fail|not found|cannot|denied/i.test(line)) ??
    lines.findLast(line => line !== '') ??
    '';
  return `${event.command.split(/\s+/)[0]}: ${normalise(telling)}`;
}

function normalise(text: string): string {
  return text
    .replace(/0x[0-9a-f]+|\d+/gi, 'N')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

/** What was done since the last look, and how often in a row that was nothing. */
interface ProgressWatch {
  readonly tokens: number;
  /** In the context; the look at half of it comes once. */
  readonly contextTokens: number;
  readonly files: number;
  readonly tests: number;
  readonly commands: number;
  readonly stuckChecks: number;
}

const TEST_COMMAND = /\b(test|tests|spec|vitest|jest|mocha|pytest|nextest|ctest)\b/;

/** Whether a command looks like a test run. */
export function isTestCommand(command: string): boolean {
  return TEST_COMMAND.test(command);
}

const MIN_COMMANDS = 3;

function createProgressWatch(): ProgressWatch {
  return { tokens: 0, contextTokens: 0, files: 0, tests: 0, commands: 0, stuckChecks: 0 };
}

/** Every so many tokens something must have been done: a file, a test run, or a few commands. */
function watchProgress(
  state: ProgressWatch,
  { event }: Observation,
  rules: MonitorRules,
): { state: ProgressWatch; commands: readonly MonitorCommand[] } {
  if (event === null) return { state, commands: [] };
  if (event.type === 'file' && event.action !== 'read') {
    return { state: { ...state, files: state.files + 1 }, commands: [] };
  }
  if (event.type === 'command') {
    const tests = state.tests + (isTestCommand(event.command) ? 1 : 0);
    return { state: { ...state, tests, commands: state.commands + 1 }, commands: [] };
  }
  if (event.type !== 'usage') return { state, commands: [] };
  const tokens = state.tokens + event.usage.inputTokens + event.usage.outputTokens;
  const contextTokens = getContextTokens(state.contextTokens, event);
  const seen = { ...state, tokens, contextTokens };
  if (tokens >= rules.checkEveryTokens) return look(seen, rules);
  return { state: seen, commands: lookAtHalf(state.contextTokens, seen, rules) };
}

function isStuck({ files, tests, commands }: ProgressWatch): boolean {
  return files === 0 && tests === 0 && commands < MIN_COMMANDS;
}

/** Half of the context gone and nothing done is worth a word, also between two looks; too short a stretch tells nothing. */
function lookAtHalf(
  beforeTokens: number,
  state: ProgressWatch,
  rules: MonitorRules,
): readonly MonitorCommand[] {
  const half = rules.contextTokens / 2;
  if (beforeTokens >= half || state.contextTokens < half) return [];
  if (!isStuck(state) || state.tokens < rules.checkEveryTokens / 2) return [];
  const why = `half of the context is used, with no file, no test and ${state.commands} commands in ${state.tokens} tokens`;
  return [{ type: 'inject', text: rules.stuckWarning, why }];
}

function look(
  state: ProgressWatch,
  rules: MonitorRules,
): { state: ProgressWatch; commands: readonly MonitorCommand[] } {
  const stuckChecks = isStuck(state) ? state.stuckChecks + 1 : 0;
  const next = { ...createProgressWatch(), contextTokens: state.contextTokens, stuckChecks };
  if (stuckChecks === 0) return { state: next, commands: [] };
  const why = `no file, no test and ${state.commands} commands in ${rules.checkEveryTokens} tokens`;
  if (stuckChecks < rules.stopAfterStuckChecks) {
    return { state: next, commands: [{ type: 'inject', text: rules.stuckWarning, why }] };
  }
  const last = `stuck: ${why}, ${stuckChecks} times in a row`;
  return {
    state: next,
    commands: [
      { type: 'inject', text: STILL_STUCK, why: last },
      { type: 'stop', cause: 'stuck', why: last },
    ],
  };
}

const STILL_STUCK = `Still stuck: this session ends now. Document the blocker, ${LEAVE_WORD}: what you tried, what happened, and what you would need. Then end your turn.`;

/** When the session began, and when the agent was last heard of. */
interface TimeWatch {
  readonly startedMs: number;
  readonly lastEventMs: number | null;
  readonly warned: boolean;
  readonly stopped: boolean;
}

function createTimeWatch(startedMs: number): TimeWatch {
  return { startedMs, lastEventMs: null, warned: false, stopped: false };
}

/** A silent agent is stopped; a slow one that is heard of now and then is left alone until its time is up. */
function watchTime(
  state: TimeWatch,
  { event, atMs }: Observation,
  rules: MonitorRules,
): { state: TimeWatch; commands: readonly MonitorCommand[] } {
  if (state.stopped) return { state, commands: [] };
  const noted = event === null ? state : { ...state, lastEventMs: atMs };
  const silence = getSilence(noted, atMs, rules);
  if (silence) return { state: { ...noted, stopped: true }, commands: [silence] };
  if (!noted.warned && atMs - noted.startedMs >= rules.warnAtMs) {
    const left = getMinutes(rules.endAtMs - (atMs - noted.startedMs));
    const text = `The time for this session is nearly up: ${left} left. Bring what you are doing to an end that somebody else can go on from.`;
    return {
      state: { ...noted, warned: true },
      commands: [{ type: 'inject', text, why: 'time is nearly up' }],
    };
  }
  return { state: noted, commands: [] };
}

function getSilence(
  { lastEventMs, startedMs }: TimeWatch,
  atMs: number,
  rules: MonitorRules,
): MonitorCommand | null {
  if (lastEventMs === null && atMs - startedMs >= rules.firstEventMs) {
    return {
      type: 'stop',
      cause: 'silent',
      why: `nothing was heard in the first ${toSeconds(rules.firstEventMs)} s`,
    };
  }
  if (lastEventMs !== null && atMs - lastEventMs >= rules.idleMs) {
    return { type: 'stop', cause: 'idle', why: `nothing was heard for ${toSeconds(rules.idleMs)} s` };
  }
  return null;
}

function getMinutes(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute is';
  return minutes === 1 ? '1 minute is' : `${minutes} minutes are`;
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}

/** How long until time alone could change anything; null when it cannot. */
export function getNextLookMs(state: TimeWatch, nowMs: number, rules: MonitorRules): number | null {
  const silenceMs =
    state.lastEventMs === null ? state.startedMs + rules.firstEventMs : state.lastEventMs + rules.idleMs;
  const warnMs = state.warned ? Number.POSITIVE_INFINITY : state.startedMs + rules.warnAtMs;
  // A first word may come at any moment, and the silence after it counts at once.
  const nextWordMs = state.lastEventMs === null ? nowMs + rules.idleMs : Number.POSITIVE_INFINITY;
  const nextMs = Math.min(silenceMs, warnMs, nextWordMs);
  return state.stopped || nextMs === Number.POSITIVE_INFINITY ? null : Math.max(nextMs - nowMs, 50);
}
