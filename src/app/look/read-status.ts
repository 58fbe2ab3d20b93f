import { openQuickIndex } from '../../adapters/store/quick-index.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import { type IndexView, readIndexView } from '../project/index-view.ts';
import type { Project } from '../project/open-project.ts';
import { readViewFacts, writeQuickRecord } from '../project/save-fingerprint.ts';
import { getNextView, getStatusView, type NextView, type StatusView } from './status-view.ts';

/** The project at a glance. */
export function readStatus(
  project: Project,
  { all = false }: { readonly all?: boolean },
): Promise<StatusView> {
  return withIndexView(project, view => getStatusView(view, { all }));
}

/** The task that a run would take, and why. */
export function readNext(project: Project): Promise<NextView> {
  return withIndexView(project, getNextView);
}

/** The index, brought in step first. */
async function withIndexView<T>(project: Project, show: (view: IndexView) => T): Promise<T> {
  const backlog = await readBacklogAtTip(project);
  const facts = readViewFacts(project, backlog);
  const store = await project.store();
  await syncBacklog(project, store, backlog);
  await writeQuickRecord(project, store, backlog, facts);
  const index = openQuickIndex(project.stateDir, project.config.compatibility.on_newer_state);
  if (!index) throw new HarnessError('internal', `no index in ${project.stateDir}`);
  try {
    return show(readIndexView(index, facts, project.stateDir));
  } finally {
    index.close();
  }
}
