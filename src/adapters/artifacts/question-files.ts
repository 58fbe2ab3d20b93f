import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../core/events/event.ts';
import type { OpenQuestion } from '../../core/model/question.ts';
import type { State } from '../../core/state/state.ts';
import { getQuestionText } from '../../core/views/question-text.ts';
import { writeAtomic } from './write-atomic.ts';

const FOLDER = 'questions';
const TYPES: ReadonlySet<string> = new Set(['question.asked', 'question.answered', 'question.withdrawn']);

/** Keeps one file for each open question, and none for those that are closed; written anew when any of them changed. */
export function writeQuestionFiles(stateDir: string, state: State, events?: readonly StoredEvent[]): void {
  if (events && !events.some(({ event }) => TYPES.has(event.type))) return;
  const folder = join(stateDir, FOLDER);
  const open = new Map([...state.people.questions.values()].map(one => [getFileName(one), one]));
  if (open.size > 0) mkdirSync(folder, { recursive: true });
  for (const name of listFiles(folder)) if (!open.has(name)) rmSync(join(folder, name), { force: true });
  for (const [name, question] of open)
    writeAtomic(join(folder, name), getQuestionText(question), { durable: false });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.md'));
  } catch {
    return [];
  }
}

/** An id may hold whatever the id of a task does. */
function getFileName({ id }: OpenQuestion): string {
  return `${id.replaceAll(/[^\w.-]+/g, '_')}.md`;
}
