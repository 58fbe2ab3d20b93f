import type { TaskDef } from './task.ts';

/** Trailers by which a landed commit is recognised after a crash, on any clone. */
export function getCommitMessage(task: TaskDef, attempt: number): string {
  return `${getSubject(task)}\n\nHarness-Task: ${task.id}\nHarness-Attempt: ${attempt}\n`;
}

function getSubject(task: TaskDef): string {
  const line = task.title.replace(/\s+/g, ' ').trim();
  return line.length <= 72 ? line : `${line.slice(0, 71)}…`;
}

/** The ref that keeps an attempt's work, whatever becomes of it. */
export function getAttemptRef(task: string, attempt: number): string {
  return `attempts/${task.replace(/[^A-Za-z0-9._-]/g, '_')}/${attempt}`;
}
