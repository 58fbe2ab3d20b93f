import { createReader } from '../../adapters/git/objects/objects.ts';
import { openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { KEPT_PREFIX as KEPT } from '../../adapters/git/repo/locks.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getAttemptRef } from '../../core/proof/commit-message.ts';
import { type CheckpointEntry, getCheckpoints } from '../../core/views/checkpoints.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';

export interface CheckpointView extends CheckpointEntry {
  /** The commit with what the attempt left, as long as that is kept. */
  readonly work: string | null;
}

export interface CheckpointInput {
  /** Of one attempt: all of them when not said. */
  readonly id?: string;
  /** A branch to be made of it. */
  readonly branch?: string;
  /** What the attempt left, instead of what it began from. */
  readonly work?: boolean;
}

export interface CheckpointsResult {
  readonly checkpoints: readonly CheckpointView[];
  readonly branch: { readonly name: string; readonly commit: string } | null;
}

/** Every point that can be returned to; and the way back: a branch of its own, so that nobody's is moved. */
export async function readCheckpoints(project: Project, input: CheckpointInput): Promise<CheckpointsResult> {
  const { state } = await openJournal(project);
  const found = getCheckpoints(state).filter(({ id }) => input.id === undefined || id === input.id);
  const { id, branch } = input;
  const checkpoints = await withWork(project, found);
  const [one] = checkpoints;
  if (id === undefined && branch === undefined) return { checkpoints, branch: null };
  if (id === undefined || one === undefined) {
    const problem =
      id === undefined ? '--branch needs the id of a checkpoint' : `there is no checkpoint "${id}"`;
    throw new HarnessError('usage', problem, { field: '<id>', fix: 'harness checkpoints lists them' });
  }
  if (branch === undefined) return { checkpoints, branch: null };
  refuseOwnBranch(branch);
  const commit = input.work ? one.work : one.start.commit;
  if (commit === null) {
    throw new HarnessError('usage', `the work of ${one.id} is no longer kept`, {
      field: '--work',
      fix: 'checkpoints.per_task and checkpoints.max_age_days say how long it is',
    });
  }
  if (!input.work) await checkStart(project, one);
  const made = await runRepo(openContext(project.repo, runGit), [
    'branch',
    '--no-track',
    '--',
    branch,
    commit,
  ]);
  if (made.code !== 0)
    throw new HarnessError('repo', made.stderr.trim(), { field: '--branch', fix: 'give it another name' });
  return { checkpoints, branch: { name: branch, commit } };
}

/** Names that say what has been landed or handed over are not for work that nobody has judged. */
function refuseOwnBranch(branch: string): void {
  if (!/^(?:refs\/heads\/|heads\/)?harness(?:\/|$)/i.test(branch)) return;
  throw new HarnessError('usage', `--branch: ${branch} is among the names of Harness's own branches`, {
    field: '--branch',
    fix: 'give it a name that does not begin with harness/',
  });
}

async function withWork(
  { repo }: Project,
  entries: readonly CheckpointEntry[],
): Promise<readonly CheckpointView[]> {
  const asked = ['for-each-ref', '--format=%(refname) %(objectname)', `${KEPT}attempts/`];
  const { stdout } = await runRepo(openContext(repo, runGit), asked);
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  const kept = new Map(lines.map(line => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? null]));
  return entries.map(entry => ({
    ...entry,
    work: kept.get(`${KEPT}${getAttemptRef(entry.task, entry.attempt)}`) ?? null,
  }));
}

/** What is returned to is what was left: the files that steer agents have the hashes that they had. */
async function checkStart({ repo, policy }: Project, { id, start }: CheckpointEntry): Promise<void> {
  const { blobId } = createReader(openContext(repo, runGit));
  const { backlogPath, notesPath } = policy;
  const wanted = [
    // A folder of plans has a hash of its own making.
    ...(/\.\w+$/.test(backlogPath) ? [[backlogPath, start.backlogHash] as const] : []),
    [notesPath, start.notesHash] as const,
  ];
  for (const [path, hash] of wanted) {
    if ((await blobId(start.commit, path)) === hash) continue;
    throw new HarnessError(
      'repo',
      `checkpoint ${id}: ${path} of commit ${start.commit.slice(0, 10)} is not what it was`,
      {
        file: path,
        fix: 'the commit is gone, or the backlog lies elsewhere by now: harness log --type attempt.prepared has what was recorded',
      },
    );
  }
}
