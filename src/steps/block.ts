import type { StepResult } from './step.ts';

/** Takes a task out of the queue until a person has looked at it. */
export function block(action: { readonly task: string; readonly reason: string }): StepResult {
  return { events: [{ type: 'task.blocked', task: action.task, reason: action.reason }] };
}
