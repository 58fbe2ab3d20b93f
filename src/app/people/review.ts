import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import type { Project } from '../project/open-project.ts';
import { fetchHeld } from './fetch-held.ts';
import { readPersonName, recordTaskDecision, refuseActive } from './person.ts';

/** What a person found of work that waits for them. */
export interface Review {
  readonly task: string;
  readonly passed: boolean;
  readonly note?: string;
  readonly by?: string;
}

export interface Reviewed {
  readonly task: string;
  readonly recorded: boolean;
  readonly passed: boolean;
  readonly by: string;
  readonly note: string;
  readonly tree: string | null;
  readonly next: string;
}

/** Records what a person found: work that passed lands, other work goes back to an agent with their note. */
export async function reviewWork(project: Project, input: Review): Promise<Reviewed> {
  const { task: id, passed } = input;
  const note = input.note?.trim() ?? '';
  if (!passed && note === '') {
    throw new HarnessError('usage', 'what is wrong with it? The agent gets to read it', {
      field: '--note',
      fix: 'harness approve 3, or harness approve 3 --send-back "what is wrong"',
    });
  }
  const by = await readPersonName(project.root, input.by);
  const { recorded, task } = await recordTaskDecision(await project.store(), id, found =>
    getAnswer(found, { passed, note, by }),
  );
  const next = task.status === 'landed' ? 'harness status' : `harness run --task ${getShellQuoted(id)}`;
  return { task: id, recorded, passed, by, note, tree: task.people.answer?.tree ?? null, next };
}

/** What a person is asked to look at. */
export interface WorkToReview {
  readonly task: string;
  readonly title: string;
  readonly attempt: number;
  readonly commit: string;
  readonly tree: string;
  readonly question: readonly string[];
}

/** The question as it was put when the attempt ended. */
export async function readWorkToReview(project: Project, id: string): Promise<WorkToReview> {
  const { task } = await recordTaskDecision(await project.store(), id, () => null);
  const { def, held, history, status } = task;
  if (!held?.awaitsPerson || status !== 'blocked') throw getNothingToLookAtError(task);
  await fetchHeld(project, [task]);
  const { attempt, candidate } = held;
  const { commit, tree } = candidate;
  return { task: def.id, title: def.title, attempt, commit, tree, question: history.at(-1)?.findings ?? [] };
}

/** Null when this very answer is known already. */
function getAnswer(
  task: TaskState,
  answer: { readonly passed: boolean; readonly note: string; readonly by: string },
): HarnessEvent | null {
  const { held, def } = task;
  if (isKnown(task, answer.passed)) return null;
  refuseActive(task, `harness manual-verify ${getShellQuoted(def.id)}`);
  if (!held?.awaitsPerson || task.people.override) throw getNothingToLookAtError(task);
  return {
    type: 'human.answered',
    task: def.id,
    attempt: held.attempt,
    tree: held.candidate.tree,
    ...answer,
  };
}

function isKnown({ people, held, status, landed }: TaskState, passed: boolean): boolean {
  const { answer } = people;
  if (!answer || answer.passed !== passed) return false;
  if (status === 'landed') return landed?.commit !== null;
  return held?.candidate.tree === answer.tree;
}

function getNothingToLookAtError(task: TaskState): HarnessError {
  const { def, status, held, history } = task;
  const last = history.at(-1)?.reason.split('\n', 1)[0];
  const state = status === 'landed' ? 'it has landed' : `it is ${status}${held && last ? `: ${last}` : ''}`;
  const why = task.people.override ? 'it has been overridden' : state;
  return new HarnessError('usage', `task ${def.id} does not wait for a person: ${why}`, {
    field: '<task>',
    fix: getWayOn(task),
  });
}

function getWayOn({ def: { id }, status, people, held }: TaskState): string {
  if (status === 'landed') return `harness proof ${getShellQuoted(id)}   (shows why)`;
  if (held && !people.override)
    return `harness log --task ${getShellQuoted(id)} tells what the checks found; harness override ${getShellQuoted(id)} --with-work --reason "…" lands it all the same, as unproven`;
  return `harness run --task ${getShellQuoted(id)}   (an agent has to do the work first)`;
}
