import { join } from 'node:path';
import { writeQuestionFiles } from '../../adapters/artifacts/question-files.ts';
import { findTip, type Heads, readHeads } from '../../adapters/git/landing/tip.ts';
import { listFiles } from '../../adapters/git/objects/history.ts';
import { createReader } from '../../adapters/git/objects/objects.ts';
import { seeRemote } from '../../adapters/git/remote/heads.ts';
import { type GitContext, openContext } from '../../adapters/git/repo/context.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { createFolderReader } from '../../backlog/folder-workspace.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import { getSettledQuestion } from '../../core/people/due-question.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import type { State } from '../../core/state/state.ts';
import { Journal } from '../../loop/journal.ts';
import type { Store, Workspace } from '../../ports/index.ts';
import { sync } from '../../steps/sync.ts';
import { getDamage } from './last-good.ts';
import type { Project } from './open-project.ts';
import { readPlansOnDisk } from './plans-on-disk.ts';

/** The committed backlog where the next task would start. */
export interface BacklogAtTip {
  readonly heads: Heads;
  /** Null when the base branch and harness/landed have parted: only a run may join them. */
  readonly tip: { readonly commit: string; readonly isLandedAhead: boolean } | null;
  readonly blob: string | null;
  readonly text: string | null;
  /** The same file on the base branch, which may lack what has landed beside it. */
  readonly baseText: string | null;
  /** Why the shared remote could not be seen just now; what stands here may be old then. */
  readonly away: string | null;
}

/** Looks where the next task would start, without moving a branch as a run may have to. */
export async function readBacklogAtTip(
  project: Project,
  reader?: Pick<Workspace, 'readFile' | 'blobId'>,
): Promise<BacklogAtTip> {
  const ctx = openContext(project.repo, runGit);
  const { backlogPath } = project.policy;
  const { readFile, blobId } = reader ?? openReader(ctx, project.policy);
  const away = project.repo.remote === null ? null : await seeRemote(ctx);
  const heads = await readHeads(ctx);
  const tip = await findTip(ctx, heads);
  const baseText = await readFile(heads.base, backlogPath);
  if (tip === null) return { heads, tip, blob: null, text: null, baseText, away };
  const text = await readFile(tip.commit, backlogPath);
  const blob = text === null ? null : await blobId(tip.commit, backlogPath);
  return { heads, tip, blob, text, baseText, away };
}

/** The text of the committed backlog; without one there is nothing to read, and the way to it is named. */
export function getListedText(project: Project, { text, baseText }: BacklogAtTip): string {
  const listed = text ?? baseText;
  if (listed !== null) return listed;
  const { backlogPath, baseBranch } = project.policy;
  throw new HarnessError('backlog', `${backlogPath} is not committed on ${baseBranch}`, {
    file: backlogPath,
    fix: getCommitLine([backlogPath], 'Add the backlog'),
  });
}

/** Reads the backlog of a commit, be it a file or a folder of plans. */
export function openReader(
  ctx: GitContext,
  { backlogPath: folder, completedDir: completed }: Project['policy'],
): Pick<Workspace, 'readFile' | 'blobId'> {
  const reader = createReader(ctx);
  if (!isPlanFolder(folder)) return reader;
  const all = { ...reader, listFiles: (commit: string) => listFiles(ctx, commit) };
  return createFolderReader(all, { folder, completed });
}

/**
 * The run's own first steps, without a run: any process may record what the committed backlog says, and that a question
 * has lost its cause, so that whoever looks sees what a run would see.
 */
export async function syncBacklog(project: Project, store: Store, seen: BacklogAtTip): Promise<void> {
  const journal = new Journal(store, async () => undefined);
  for (let found = seen; ; ) {
    await journal.refresh();
    const isOther = project.repo.remote !== null && journal.state.backlog?.blob !== found.blob;
    // Another host may have landed and recorded a newer one since.
    if (isOther) found = await readBacklogAtTip(project);
    if (found.away !== null) return;
    const settled = getSettledQuestion(journal.state, project.policy);
    const events: readonly HarnessEvent[] = settled
      ? [{ type: 'question.withdrawn', ...settled }]
      : await readSynced(project, journal.state, found);
    if (events.length === 0) return;
    const { ok } = await journal.record(events);
    if (ok && settled) writeQuestionFiles(project.stateDir, journal.state);
  }
}

async function readSynced(
  { policy, backlog }: Project,
  state: State,
  { tip, blob, text }: BacklogAtTip,
): Promise<readonly HarnessEvent[]> {
  if (tip === null || blob === null || state.backlog?.blob === blob) return [];
  const workspace = {
    tip: async () => ({ commit: tip.commit, tree: '', ref: `refs/heads/${policy.baseBranch}` }),
    readFile: async () => text,
    blobId: async () => blob,
  };
  return (await sync({ ports: { workspace, backlog }, policy, state })).events;
}

/** What the checkout has of the backlog and no run sees; null where there is nothing of the kind. */
export function getUncommittedNote(
  project: Project,
  { text, baseText }: Pick<BacklogAtTip, 'text' | 'baseText'>,
  fileText: string | null,
): string | null {
  if (fileText === null || isSame(fileText, text) || isSame(fileText, baseText)) return null;
  const { backlogPath, baseBranch } = project.policy;
  const line = getCommitLine([backlogPath], 'Update the backlog');
  return (
    getDamageNote(project, fileText) ??
    `${backlogPath} here differs from the one on ${baseBranch}; only what is committed runs: ${line}`
  );
}

/** The backlog as it lies in the checkout, a folder of plans as one text; null where it is not there. */
export function readBacklogHere({ root, policy }: Project): string | null {
  const { backlogPath: folder, completedDir: completed } = policy;
  if (!isPlanFolder(folder)) return readIfThere(join(root, folder));
  const { names, text } = readPlansOnDisk(root, { folder, completed });
  return names.length === 0 ? null : text;
}

/** The backlog of the checkout where it cannot be read, whatever is committed; null where it can, or is not there. */
export function readCheckoutDamage(project: Project): string | null {
  const text = readBacklogHere(project);
  return text === null ? null : getDamageNote(project, text);
}

function getDamageNote({ backlog, policy }: Project, fileText: string): string | null {
  const damage = getDamage(fileText, text => backlog.parse(text));
  if (damage === null) return null;
  return `${damage.message} (in this checkout; what is committed on ${policy.baseBranch} runs): harness recover --restore puts the last good version back`;
}

/** But for the ends of lines, which git may change; in a folder's text they are escaped. */
function isSame(a: string, b: string | null): boolean {
  const [here, there] = [a, b].map(text => text?.replaceAll(/\r(?=\n)|\\r(?=\\n)/g, ''));
  return a === b || here === there;
}
