import type { TaskState } from './state.ts';

/** Why a task is set aside that a person does by hand. */
export function getHandedOffReason(task: string, by: string): string {
  return `${by} does it by hand: ${getTakeback(task)}`;
}

/** Whether a person has a task and nobody else is set on it. */
export function isHandedOff({ def, status, setAside }: TaskState): boolean {
  return status === 'blocked' && (setAside?.endsWith(` does it by hand: ${getTakeback(def.id)}`) ?? false);
}

function getTakeback(task: string): string {
  return `harness takeback ${task}`;
}
