import { findRoot, readGitPlaces } from '../../adapters/git/repo/git-files.ts';
import { openHotIndex } from '../../adapters/store/hot-index.ts';
import { getHotKey, type HotRecord, isCurrent, readLikelyStateDir } from '../project/hot-record.ts';
import { type IndexView, readIndexView } from '../project/index-view.ts';

/**
 * Answers from the index alone; null when that is not enough. The index counts only while everything
 * it was made from is as it was: config, HEAD, both branches, the backlog file.
 */
export function readHotView<T>(cwd: string, show: (view: IndexView) => T): T | null {
  const root = findRoot(cwd);
  if (root === null || `${cwd}/`.startsWith(`${root}/.git/`)) return null;
  const places = readGitPlaces(root);
  const config = readLikelyStateDir(places);
  const index = config && openHotIndex(config.stateDir);
  if (!index) return null;
  try {
    const record = JSON.parse(index.meta(getHotKey(root)) ?? 'null') as HotRecord | null;
    if (!record || !isCurrent(record, places, config)) return null;
    const view = readIndexView(index, record.facts);
    return view.summary.backlogCommit === record.backlogCommit ? show(view) : null;
  } finally {
    index.close();
  }
}
