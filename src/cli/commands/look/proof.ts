import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getUnknownTaskError } from '../../../app/project/check-task.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { findLandedProof, findLastProof, type LocatedProof } from '../../../app/prove/find-proof.ts';
import { type Landed, readLanded } from '../../../app/prove/landed.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import type { Proof } from '../../../core/proof/proof-schema.ts';
import { getProofHtml } from '../../render/proof-html.ts';
import { getProofLines, type ShownProof } from '../../render/proof-text.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';

export interface ProofOptions extends CommonOptions {
  readonly html?: string;
}

/** `harness proof`: how a task's verdict came about, for the eye, for a program or as a page. */
export async function proof(io: Io, task: string, options: ProofOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const { landed } = await readLanded(project);
  const landing = landed.findLast(found => found.task === task) ?? null;
  const located = landing
    ? findLandedProof(project.stateDir, landing)
    : findLastProof(project.stateDir, task);
  if (!located?.proof) throw await getNotHereError(project, task, landing, located);
  const shown: ShownProof = {
    proof: located.proof,
    landed: landing,
    problems: [...located.problems, ...getMismatches(located.proof, landing)],
  };
  if (shown.problems.length > 0) io.exit(EXIT_CODES.unproven);
  if (options.html !== undefined) {
    const path = resolve(io.cwd, options.html);
    writeFileSync(path, getProofHtml(shown));
    io.err(`Written to ${path}\nnext: open it in a browser`);
  }
  if (options.json) io.out(located.text.trimEnd());
  else if (options.html === undefined) {
    for (const line of getProofLines(shown, createStyle(io.colourOut))) io.out(line);
    io.err(`next: harness verify ${task}`);
  }
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
  const remake = `harness verify ${task} makes it again`;
  if (located !== null) {
    const message = `the proof of task ${task} in ${located.where} cannot be read: ${located.problems.join('; ')}`;
    return new HarnessError('unproven', message, { file: located.where, fix: remake });
  }
  if (landing?.unproven !== undefined) {
    const message = `task ${task} landed without proof, by the word of ${landing.unproven}`;
    return new HarnessError('unproven', message, { fix: `harness verify ${task} tries to prove it` });
  }
  if (landing === null) {
    const { text, baseText } = await readBacklogAtTip(project);
    const { tasks } = project.backlog.parse(text ?? baseText ?? '');
    if (!tasks.some(({ def }) => def.id === task))
      return getUnknownTaskError(
        tasks.map(({ def }) => def.id),
        task,
        '<task>',
      );
    const message = `task ${task} has no proof: it has not landed, and no attempt was judged here`;
    return new HarnessError('unproven', message, { fix: `harness run --task ${task}` });
  }
  const message = `the proof of task ${task} is not here; its commit ${landing.commit.slice(0, 10)} names ${landing.proof ?? 'none'}`;
  const fetch = 'git fetch origin refs/notes/harness-proofs:refs/notes/harness-proofs';
  return new HarnessError('unproven', message, { fix: `${fetch} brings it along, or ${remake}` });
}
