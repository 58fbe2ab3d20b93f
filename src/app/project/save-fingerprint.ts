import { join } from 'node:path';
import { readGitDirs, readIfThere } from '../../adapters/git/repo/git-files.ts';
import { getCleanupInterval } from '../../core/decide/cleanup.ts';
import type { StoredEvent } from '../../core/events/event.ts';
import type { Ports, Store } from '../../ports/index.ts';
import { type BacklogAtTip, readBacklogAtTip } from './backlog-at-tip.ts';
import { readHints } from './landed/hints.ts';
import type { Project } from './open-project.ts';
import {
  getFingerprint,
  getQuickKey,
  type QuickRecord,
  readConfigText,
  readStamp,
  type ViewFacts,
} from './quick-record.ts';

/** Leaves a record of what the index is in step with; a run must never fail for want of one. */
export async function saveFingerprint(
  project: Project,
  ports: Pick<Ports, 'store' | 'workspace'>,
): Promise<void> {
  try {
    const backlog = await readBacklogAtTip(project, ports.workspace);
    await writeQuickRecord(project, ports.store, backlog, await readViewFacts(project, backlog));
  } catch {
    // The next `status` takes the long way and says what is wrong.
  }
}

/** What an answer needs besides the index. */
export async function readViewFacts(project: Project, backlog: BacklogAtTip): Promise<ViewFacts> {
  const { budget, maxInterruptions } = project.policy;
  const toLimit = (usd: number) => (Number.isFinite(usd) ? usd : null);
  return {
    project: project.policy.project,
    budget: {
      perTaskUsd: toLimit(budget.perTaskUsd),
      totalUsd: toLimit(budget.totalUsd),
      maxInterruptions,
    },
    cleanupInterval: getCleanupInterval(project.policy),
    hints: await readHints(project, backlog),
  };
}

/** Written only where every part of it can be checked later by reading files. */
export async function writeQuickRecord(
  project: Project,
  store: Store,
  { heads, tip, blob }: BacklogAtTip,
  facts: ViewFacts,
): Promise<void> {
  const { configFile, configText, policy, root } = project;
  // A database is asked each time, and a remote.
  if (project.config.store.url !== null || project.repo.remote !== null) return;
  // What a program or the environment decides cannot be told from the text.
  if (configText === null || configText.includes('${')) return;
  const head = readUsualHead(project);
  const backlogStamp = readStamp(join(root, policy.backlogPath));
  if (head === null || tip === null || isRacy(backlogStamp, Date.now())) return;
  if (readConfigText(root, project.env)?.text !== configText) return;
  const [synced] = await store.read({ types: ['backlog.synced'], limit: 1, newestFirst: true });
  const known = getSynced(synced);
  if (known.blob !== blob) return;
  const config = { file: configFile, text: configText };
  const record: QuickRecord = {
    fingerprint: getFingerprint({ config, head, ...heads, backlogStamp }),
    baseRef: `refs/heads/${policy.baseBranch}`,
    backlogPath: policy.backlogPath,
    backlogCommit: known.commit,
    facts,
  };
  await store.metaPut(getQuickKey(root), JSON.stringify(record));
}

/** The file systems' clocks tick in steps: a stamp this young may hide a second write. */
const TICK_MS = 50;

/** Whether a file was written so recently that its stamp could stay the same when it is written again. */
function isRacy(stamp: string | null, nowMs: number): boolean {
  if (stamp === null) return false;
  const mtimeMs = Number(stamp.split(':')[1]);
  return nowMs - mtimeMs < (Number.isInteger(mtimeMs / 1_000) ? 2_000 : TICK_MS);
}

/** HEAD as it was when the base branch was chosen by it; null when it moved since, or lies in an unusual place. */
function readUsualHead({ repo, config, root }: Project): string | null {
  const gitDirs = readGitDirs(root);
  const isUsual =
    gitDirs.gitDir === repo.gitDir &&
    gitDirs.commonDir === repo.commonDir &&
    gitDirs.mainRoot === repo.mainRoot;
  if (!isUsual) return null;
  const headText = readIfThere(join(repo.gitDir, 'HEAD'));
  if (config.git.base_branch !== null) return headText;
  const isBase = repo.headBranch === repo.baseBranch;
  return isBase && headText === `ref: refs/heads/${repo.headBranch}\n` ? headText : null;
}

function getSynced(stored: StoredEvent | undefined): { commit: string | null; blob: string | null } {
  return stored?.event.type === 'backlog.synced' ? stored.event : { commit: null, blob: null };
}
