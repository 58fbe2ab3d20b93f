import { openHotIndex } from '../../adapters/store/hot-index.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { Journal } from '../../loop/journal.ts';
import type { Store } from '../../ports/index.ts';
import { sync } from '../../steps/sync.ts';
import { type BacklogAtTip, readBacklogAtTip } from './backlog-at-tip.ts';
import { type IndexView, readIndexView } from './index-view.ts';
import type { Where } from './open-checkout.ts';
import { openProject, type Project } from './open-project.ts';
import { openProjectStore } from './open-record.ts';
import { readViewFacts, writeHotRecord } from './remember-hot.ts';

/** The index as `status` and `next` show it: brought in step first. */
export async function withIndexView<T>(where: Where, show: (view: IndexView) => T): Promise<T> {
  const project = await openProject(where);
  const backlog = await readBacklogAtTip(project);
  const facts = readViewFacts(project, backlog);
  const store = await openProjectStore(project);
  try {
    await syncBacklog(project, store, backlog);
    await writeHotRecord(project, store, backlog, facts);
  } finally {
    await store.close();
  }
  const index = openHotIndex(project.stateDir);
  if (!index) throw new HarnessError('internal', `no index in ${project.stateDir}`);
  try {
    return show(readIndexView(index, facts));
  } finally {
    index.close();
  }
}

/** The run's own step, without a run: any process may record what the committed backlog says. */
export async function syncBacklog(project: Project, store: Store, found: BacklogAtTip): Promise<void> {
  const { tip, blob, text } = found;
  if (tip === null || blob === null) return;
  const journal = new Journal(store, async () => undefined);
  const workspace = {
    tip: async () => ({ commit: tip.commit, tree: '', ref: `refs/heads/${project.policy.baseBranch}` }),
    readFile: async () => text,
    blobId: async () => blob,
  };
  for (;;) {
    await journal.refresh();
    if (journal.state.backlog?.blob === blob) return;
    const ports = { workspace, backlog: project.backlog };
    const { events } = await sync({ ports, policy: project.policy, state: journal.state });
    if ((await journal.record(events)).ok) return;
  }
}
