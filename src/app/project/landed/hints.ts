import { HarnessError } from '../../../core/base/failure.ts';
import { getCommitLine } from '../../../core/shell/commit-line.ts';
import { type BacklogAtTip, readBacklogHere } from '../backlog-at-tip.ts';
import { getDamage } from '../last-good.ts';
import type { Project } from '../open-project.ts';
import { readCheckoutNotes } from './local-branch.ts';
import { createVet } from './vet-landed.ts';

/** What a person should know before the next run, from the branches and the backlog in their checkout. */
export async function readHints(project: Project, backlog: BacklogAtTip): Promise<string[]> {
  const hints: string[] = [];
  const refusal = await readRefusal(project, backlog);
  if (refusal !== null) hints.push(refusal);
  hints.push(...(await readBacklogHints(project, backlog, refusal !== null)));
  if (backlog.tip?.isLandedAhead && refusal === null)
    hints.push(
      `finished work is on harness/landed: take it with git merge --ff-only --no-overwrite-ignore harness/landed`,
    );
  return hints;
}

/** Why no run would build on harness/landed; a person who is told to take it would take what nobody has judged. */
async function readRefusal(project: Project, { heads, tip }: BacklogAtTip): Promise<string | null> {
  if (heads.landed === null || (tip !== null && !tip.isLandedAhead)) return null;
  try {
    await createVet(project)(heads);
    return null;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const { fix } = error.details;
    return `${error.message}; no run goes on before that is settled${fix ? `: ${fix}` : ''}`;
  }
}

async function readBacklogHints(
  project: Project,
  backlog: BacklogAtTip,
  isRefused: boolean,
): Promise<readonly string[]> {
  const { backlogPath, baseBranch } = project.policy;
  const fileText = readBacklogHere(project);
  if (backlog.tip === null) {
    const parted = `${baseBranch} and harness/landed have diverged`;
    const merged = 'the next run merges them, or says where they conflict';
    const damage =
      backlog.baseText === null ? null : getDamage(backlog.baseText, text => project.backlog.parse(text));
    return [
      isRefused ? parted : `${parted}: ${merged}`,
      ...(damage ? [`${damage.message} (on ${baseBranch}): harness recover says what to do`] : []),
    ];
  }
  if (backlog.text === null) {
    const fix = fileText === null ? 'harness init' : getCommitLine([backlogPath], 'Add the backlog');
    return [`${backlogPath} is not committed on ${baseBranch}, so there is nothing to run: ${fix}`];
  }
  return readCheckoutNotes(project, backlog, fileText);
}
