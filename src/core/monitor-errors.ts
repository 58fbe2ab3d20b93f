import type { AgentEvent } from './agent-event.ts';
import type { MonitorCommand, MonitorRules, Observation } from './monitor.ts';

/** How often each error has come back since anything else worked on it. */
export interface ErrorWatch {
  readonly counts: Readonly<Record<string, number>>;
}

/** More different errors than this and the oldest are forgotten. */
const MAX_KINDS = 50;

export function createErrorWatch(): ErrorWatch {
  return { counts: {} };
}

/** The same error again and again means that the way is wrong, not the step. */
export function watchErrors(
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
