import type { AgentEvent } from '../model/agent-event.ts';
import type { MonitorRules } from '../model/policy.ts';
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
  readonly warned: boolean;
  readonly wrappingUp: boolean;
  readonly stopped: boolean;
}

function createContextWatch(): ContextWatch {
  return { warned: false, wrappingUp: false, stopped: false };
}

/** Warns at the first threshold, asks to wrap up at the second, stops when nothing is left. */
function watchContext(
  state: ContextWatch,
  { event }: Observation,
  rules: MonitorRules,
): { state: ContextWatch; commands: readonly MonitorCommand[] } {
  if (event?.type !== 'usage' || state.stopped) return { state, commands: [] };
  const { inputTokens, cachedTokens, outputTokens } = event.usage;
  const share = (event.contextTokens ?? inputTokens + cachedTokens + outputTokens) / rules.contextTokens;
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
  return `${percent} % of your context is used. Aim for a state that somebody else can go on from, and finish only what is close to done.`;
}

const WRAP_UP = [
  'Your context is nearly full. Stop implementing now.',
  `Leave word for whoever goes on, with the tool save_handoff or as ${SESSION_NOTE_FILE} (phase, completed, next_step, critical_files, memory_notes), then end your turn.`,
  'A clean handover is worth more than a rushed finish: your files are kept, and the next session goes on from them.',
].join(' ');

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
  readonly files: number;
  readonly tests: number;
  readonly commands: number;
  readonly stuckChecks: number;
}

const TEST_COMMAND = /\b(test|tests|spec|vitest|jest|mocha|pytest|nextest|ctest)\b/;
const MIN_COMMANDS = 3;

function createProgressWatch(): ProgressWatch {
  return { tokens: 0, files: 0, tests: 0, commands: 0, stuckChecks: 0 };
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
    const tests = state.tests + (TEST_COMMAND.test(event.command) ? 1 : 0);
    return { state: { ...state, tests, commands: state.commands + 1 }, commands: [] };
  }
  if (event.type !== 'usage') return { state, commands: [] };
  const tokens = state.tokens + event.usage.inputTokens + event.usage.outputTokens;
  if (tokens < rules.checkEveryTokens) return { state: { ...state, tokens }, commands: [] };
  return look(state, rules);
}

function look(
  state: ProgressWatch,
  rules: MonitorRules,
): { state: ProgressWatch; commands: readonly MonitorCommand[] } {
  const isStuck = state.files === 0 && state.tests === 0 && state.commands < MIN_COMMANDS;
  const stuckChecks = isStuck ? state.stuckChecks + 1 : 0;
  const next = { ...createProgressWatch(), stuckChecks };
  if (!isStuck) return { state: next, commands: [] };
  const why = `no file, no test and ${state.commands} commands in ${rules.checkEveryTokens} tokens`;
  if (stuckChecks < rules.stopAfterStuckChecks) {
    return { state: next, commands: [{ type: 'inject', text: rules.stuckWarning, why }] };
  }
  return {
    state: next,
    commands: [{ type: 'stop', cause: 'stuck', why: `stuck: ${why}, ${stuckChecks} times in a row` }],
  };
}

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
    const text =
      'The time for this session is nearly up. Bring what you are doing to an end that somebody else can go on from.';
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

function toSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}

/** How long until time alone could change anything; null when it cannot. */
export function getNextLookMs(state: TimeWatch, nowMs: number, rules: MonitorRules): number | null {
  const silenceMs =
    state.lastEventMs === null ? state.startedMs + rules.firstEventMs : state.lastEventMs + rules.idleMs;
  const warnMs = state.warned ? Number.POSITIVE_INFINITY : state.startedMs + rules.warnAtMs;
  const nextMs = Math.min(silenceMs, warnMs);
  return state.stopped || nextMs === Number.POSITIVE_INFINITY ? null : Math.max(nextMs - nowMs, 50);
}
