import type { State } from '../../core/state.ts';

/** `handoff.json`: the word that the last session left for whoever goes on; null while there is none. */
export function getHandoffFile(state: State): string | null {
  const task = state.lastSession?.task;
  if (task === undefined) return null;
  const handoff = state.active.get(task)?.handoff ?? state.tasks.get(task)?.history.at(-1)?.handoff;
  if (!handoff) return null;
  const { by = 'agent', ...word } = handoff;
  return `${JSON.stringify({ task, session: state.lastSession?.session, ...word, by }, null, 2)}\n`;
}
