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

/** Every task whose history is in the index rows of these: they themselves and the ones that they wait for. */
export function getTouches({ tasks }: State, touched: ReadonlySet<string>): string[] {
  const dependencies = [...touched].flatMap(id => tasks.get(id)?.def.dependsOn ?? []);
  return [...new Set([...touched, ...dependencies])];
}
