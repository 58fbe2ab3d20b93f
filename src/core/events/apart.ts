import type { State } from '../state/state.ts';
import { getEventKind, type HarnessEvent } from './event.ts';

/** Whether an event is about the attempt under way for its task and about nothing else. */
export function isOfAttempt(event: HarnessEvent): event is HarnessEvent & { readonly task: string } {
  return 'attempt' in event && getEventKind(event).advance !== undefined;
}

/**
 * Whether somebody else's event may stand before facts about these tasks without changing whether those fit and
 * what they make of the tasks: it is about an attempt of another task, or only says something.
 */
export function isApart(event: HarnessEvent, touches: ReadonlySet<string>): boolean {
  if (event.type === 'note.added') return true;
  if (event.type !== 'attempt.started' && !isOfAttempt(event)) return false;
  return !touches.has(event.task);
}

/** Every task whose state is in the index rows of these: they themselves and all that they still wait for. */
export function getTouches({ tasks }: State, touched: ReadonlySet<string>): string[] {
  const found = new Set(touched);
  // A set goes on with what is added to it on the way.
  for (const id of found) {
    const task = tasks.get(id);
    if (task && (touched.has(id) || task.status !== 'landed'))
      for (const dependency of task.def.dependsOn) found.add(dependency);
  }
  return [...found];
}
