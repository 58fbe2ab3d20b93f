import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { Proof } from '../../core/proof/proof-schema.ts';
import { getListedText, readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { getUnknownTaskError } from '../project/check-task.ts';
import { findLandedProof, findLastProof, type LocatedProof } from '../project/landed/find-proof.ts';
import { type Landed, readLanded } from '../project/landed/landed.ts';
import type { Project } from '../project/open-project.ts';

export interface TaskProof {
  readonly proof: Proof;
  /** As it was written: to be kept, and checked anywhere. */
  readonly text: string;
  readonly landed: Landed | null;
  /** Why it is not to be believed; empty where it is. */
  readonly problems: readonly string[];
}

/** How a task's verdict came about: what landed with it, or what came of its last attempt. */
export async function readTaskProof(
  project: Project,
  { task }: { readonly task: string },
): Promise<TaskProof> {
  const { landed: all } = await readLanded(project);
  const landed = all.findLast(found => found.task === task) ?? null;
  const located = landed ? findLandedProof(project.stateDir, landed) : findLastProof(project.stateDir, task);
  if (!located?.proof) throw await getNotHereError(project, task, landed, located);
  const { proof, text } = located;
  return { proof, text, landed, problems: [...located.problems, ...getMismatches(proof, landed)] };
}

function getMismatches(found: Proof, landing: Landed | null): string[] {
  if (landing === null) return [];
  const { proof: named, record, tree } = landing;
  if (named === undefined) return ['the landed commit names no proof: nothing vouches for this one'];
  return [
    ...(named === found.hash ? [] : ['the landed commit names another proof']),
    ...(record === found.record_hash ? [] : ['the landed commit names another record']),
    ...(tree === found.statement.candidate.tree ? [] : ['the landed tree is not the one that was proven']),
  ];
}

async function getNotHereError(
  project: Project,
  task: string,
  landing: Landed | null,
  located: LocatedProof | null,
): Promise<HarnessError> {
  const remake = `harness verify ${getShellQuoted(task)} makes it again`;
  if (located !== null) {
    const message = `the proof of task ${task} in ${located.where} cannot be read: ${located.problems.join('; ')}`;
    return new HarnessError('unproven', message, { file: located.where, fix: remake });
  }
  if (landing?.accepted !== undefined) {
    const message = `task ${task} has no proof: it rests on its own tests, as accepted by ${landing.accepted}`;
    return new HarnessError('unproven', message, { fix: `harness verify ${getShellQuoted(task)} runs them` });
  }
  if (landing?.unproven !== undefined) {
    const message = `task ${task} landed without proof, by the word of ${landing.unproven}`;
    return new HarnessError('unproven', message, {
      fix: `harness verify ${getShellQuoted(task)} tries to prove it`,
    });
  }
  if (landing === null) {
    const { tasks } = project.backlog.parse(getListedText(project, await readBacklogAtTip(project)));
    if (!tasks.some(({ def }) => def.id === task))
      return getUnknownTaskError(
        tasks.map(({ def }) => def.id),
        task,
        '<task>',
      );
    const message = `task ${task} has no proof: it has not landed, and no attempt was judged here`;
    return new HarnessError('unproven', message, { fix: `harness run --task ${getShellQuoted(task)}` });
  }
  const message = `the proof of task ${task} is not here; its commit ${landing.commit.slice(0, 10)} names ${landing.proof ?? 'none'}`;
  const fetch = 'git fetch origin refs/notes/harness-proofs:refs/notes/harness-proofs';
  return new HarnessError('unproven', message, { fix: `${fetch} brings it along, or ${remake}` });
}
