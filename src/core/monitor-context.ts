import { HANDOFF_FILE } from './handoff.ts';
import type { MonitorCommand, MonitorRules, Observation } from './monitor.ts';

/** How full the agent's context has been seen to be. */
export interface ContextWatch {
  readonly warned: boolean;
  readonly wrappingUp: boolean;
  readonly stopped: boolean;
}

export function createContextWatch(): ContextWatch {
  return { warned: false, wrappingUp: false, stopped: false };
}

/** Warns at the first threshold, asks to wrap up at the second, stops when nothing is left. */
export function watchContext(
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
  `Leave word for whoever goes on, with the tool save_handoff or as ${HANDOFF_FILE} (phase, completed, next_step, critical_files, memory_notes), then end your turn.`,
  'A clean handover is worth more than a rushed finish: your files are kept, and the next session goes on from them.',
].join(' ');
