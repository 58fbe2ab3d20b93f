import { readRef } from '../../../adapters/git/landing/refs.ts';
import { createReader } from '../../../adapters/git/objects/objects.ts';
import { expectOk, type GitContext, openContext, runScratch } from '../../../adapters/git/repo/context.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { getCount } from '../../../core/base/text.ts';
import { type BacklogAtTip, getUncommittedNote, openReader } from '../backlog-at-tip.ts';
import type { Project } from '../open-project.ts';

/** What a run does not see of this checkout: backlog, commits that nobody pushed; and what it lacks of theirs. */
export async function readCheckoutNotes(
  project: Project,
  backlog: BacklogAtTip,
  fileText: string | null,
): Promise<string[]> {
  const { remote } = project.repo;
  const local = remote === null ? null : await readLocal(project, backlog);
  const notes = local === null ? [] : getLocalNotes(project, local);
  if (remote !== null && (await hasOtherSettings(project, backlog))) notes.push(getSettingsNote(project));
  const isOld = local !== null && local.lacks > 0 && fileText === local.text && fileText !== backlog.text;
  if (isOld && local.own === 0) notes.push(getOldNote(project));
  const uncommitted = local !== null && fileText === local.text ? null : fileText;
  const note = getUncommittedNote(project, backlog, uncommitted);
  if (note !== null) notes.push(note);
  if (backlog.away !== null) notes.push(`${backlog.away}; what is shown is as it was last seen`);
  return notes;
}

/** Settings are read from the checkout, and everything else from the remote's branch. */
async function hasOtherSettings(
  { repo, configFile, configText }: Project,
  { heads }: BacklogAtTip,
): Promise<boolean> {
  const text = await createReader(openContext(repo, runGit)).readFile(heads.base, configFile);
  return text !== null && configText !== null && text !== configText;
}

function getSettingsNote({ repo: { remote, baseBranch }, configFile }: Project): string {
  return `${configFile} here is not the one on ${remote}/${baseBranch}, and the one here counts: git pull ${remote} ${baseBranch}, or push yours`;
}

/** The user's own branch beside the remote's. */
interface Local {
  readonly text: string | null;
  /** Commits that the remote lacks. */
  readonly own: number;
  /** Commits of the remote that are not here. */
  readonly lacks: number;
}

async function readLocal(project: Project, { heads }: BacklogAtTip): Promise<Local | null> {
  const { repo, policy } = project;
  const ctx = openContext(repo, runGit);
  const local = await readRef(ctx, `refs/heads/${repo.baseBranch}`);
  if (local === null) return null;
  const { readFile } = openReader(ctx, policy);
  return {
    text: await readFile(local, policy.backlogPath),
    own: await countCommits(ctx, heads.base, local),
    lacks: await countCommits(ctx, local, heads.base),
  };
}

async function countCommits(ctx: GitContext, from: string, to: string): Promise<number> {
  const result = await runScratch(ctx, ['rev-list', '--count', `${from}..${to}`]);
  return Number(expectOk(ctx, 'counting commits', result).toString('utf8'));
}

function getLocalNotes({ repo }: Project, { own, lacks }: Local): string[] {
  if (own === 0) return [];
  const { remote, baseBranch } = repo;
  const pull = lacks > 0 ? `git pull --rebase ${remote} ${baseBranch} && ` : '';
  return [
    `${baseBranch} here has ${getCount(own, 'commit')} that ${remote} lacks, and no host sees what is not pushed: ${pull}git push ${remote} ${baseBranch}`,
  ];
}

function getOldNote({ repo, policy }: Project): string {
  const { remote, baseBranch } = repo;
  return `${policy.backlogPath} here is older than the one on ${remote}/${baseBranch}, which runs: git pull ${remote} ${baseBranch}`;
}
