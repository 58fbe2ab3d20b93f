import { findRoot, readGitDirs } from '../../adapters/git/repo/git-files.ts';
import { openQuickIndex } from '../../adapters/store/quick-index.ts';
import { type IndexView, readIndexView } from '../project/index-view.ts';
import type { Where } from '../project/open-checkout.ts';
import {
  getLikelyStateDir,
  getQuickKey,
  isCurrent,
  type QuickRecord,
  readConfigText,
} from '../project/quick-record.ts';
import { STATE_ROOT } from '../project/state-root.ts';

/**
 * Answers from the index alone; null when that is not enough. The index counts only while everything
 * it was made from is as it was: config, HEAD, both branches, the backlog file.
 */
export function readQuickView<T>(
  { cwd, env }: Pick<Where, 'cwd' | 'env'>,
  show: (view: IndexView) => T,
): T | null {
  const root = env[STATE_ROOT] ? null : findRoot(cwd);
  if (root === null || `${cwd}/`.startsWith(`${root}/.git/`)) return null;
  const gitDirs = readGitDirs(root);
  const config = readConfigText(root, env);
  const stateDir = config && getLikelyStateDir(gitDirs, config);
  const index = stateDir && openQuickIndex(stateDir);
  if (!index) return null;
  try {
    const record = JSON.parse(index.meta(getQuickKey(root)) ?? 'null') as QuickRecord | null;
    if (!record || !isCurrent(record, gitDirs, config)) return null;
    const view = readIndexView(index, record.facts, stateDir);
    return !view.isBehind && view.summary.backlogCommit === record.backlogCommit ? show(view) : null;
  } finally {
    index.close();
  }
}
