import { getTopologicalOrder } from '../../core/base/graph.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import { type IndexView, type ListedTask, readIndexView } from '../project/index-view.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';
import { readViewFacts, writeQuickRecord } from '../project/save-fingerprint.ts';
import { getNextView, getStatusView, type NextView, type StatusView } from './status-view.ts';

/** The project at a glance. */
export function readStatus(
  project: Project,
  { all = false }: { readonly all?: boolean },
): Promise<StatusView> {
  return withIndexView(project, view => getStatusView(view, { all }));
}

/** Every task with its state and what it waits for. */
export interface TasksView {
  readonly tasks: readonly Pick<ListedTask, 'id' | 'title' | 'status' | 'dependsOn'>[];
  /** Those that wait for each other, which no order has. */
  readonly loose: readonly string[];
  readonly next: string | null;
}

/** The graph of the backlog, with what has become of it. */
export async function readTasks(project: Project): Promise<TasksView> {
  const { tasks, next } = await readStatus(project, { all: true });
  const order = new Set(getTopologicalOrder(tasks));
  return {
    tasks: tasks.map(({ id, title, status, dependsOn }) => ({ id, title, status, dependsOn })),
    loose: tasks.flatMap(({ id }) => (order.has(id) ? [] : id)),
    next: next?.id ?? null,
  };
}

/** The task that a run would take, and why. */
export function readNext(project: Project): Promise<NextView> {
  return withIndexView(project, getNextView);
}

/** The index, brought in step first. */
async function withIndexView<T>(project: Project, show: (view: IndexView) => T): Promise<T> {
  const backlog = await readBacklogAtTip(project);
  const facts = await readViewFacts(project, backlog);
  const store = await project.store();
  await syncBacklog(project, store, backlog);
  await writeQuickRecord(project, store, backlog, facts);
  const before = await project.readIndex();
  try {
    const view = readIndexView(before, facts, project.stateDir);
    if (!view.isBehind) return show(view);
  } finally {
    before.close();
  }
  await (await openJournal(project)).settle();
  const index = await project.readIndex();
  try {
    return show(readIndexView(index, facts, project.stateDir));
  } finally {
    index.close();
  }
}
