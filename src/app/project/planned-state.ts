import type { QuickIndex } from '../../adapters/store/quick-index.ts';
import { createRowIndex } from '../../adapters/store/row-index.ts';
import { getBacklogChange } from '../../core/decide/backlog-diff.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import { apply } from '../../core/events/fold.ts';
import { compareIds } from '../../core/model/task.ts';
import { getSettledQuestion } from '../../core/people/due-question.ts';
import { createState, type State } from '../../core/state/state.ts';
import { isBlockedByDependency } from '../../core/state/task-state.ts';
import { getIndexRow, getSummary } from '../../core/views/index-rows.ts';
import { PROJECT_STREAM } from '../../loop/journal.ts';
import type { BacklogAtTip } from './backlog-at-tip.ts';
import type { Project } from './open-project.ts';
import { openJournal } from './open-record.ts';
import { isRecorded } from './store/open-project-store.ts';

/** The state as the next run would find it after its first look, with nothing recorded. */
export async function readPlannedState(project: Project, backlog: BacklogAtTip): Promise<State> {
  if (!isRecorded(project)) return getPlannedState(project, backlog, createState());
  return getPlannedState(project, backlog, (await openJournal(project)).state);
}

/** An index made of a state, so that what-if questions get the same answers as `next`. */
export function getIndexOfState(state: State): QuickIndex {
  const tasks = [...state.tasks.values()];
  const rows = tasks.map(task => getIndexRow(state, task.def.id)).filter(row => row !== null);
  rows.sort((a, b) => compareIds(a.id, b.id));
  const summary = JSON.stringify(getSummary(state, tasks.filter(isBlockedByDependency).length));
  return createRowIndex({ summary, seq: state.seq, rows, countsByStatus: { ...state.counts } });
}

function getPlannedState(project: Project, { tip, blob, text }: BacklogAtTip, state: State): State {
  for (;;) {
    const settled = getSettledQuestion(state, project.policy);
    if (settled === null) break;
    applyPlanned(state, { type: 'question.withdrawn', ...settled });
  }
  if (tip === null || blob === null || text === null || state.backlog?.blob === blob) return state;
  const parsed = project.backlog.parse(text);
  const { tasks, sessions } = parsed;
  const source = { commit: tip.commit, blob, project: project.policy.project, sessions };
  applyPlanned(state, getBacklogChange(state, tasks, source));
  return state;
}

/** What would be recorded next, in memory alone. */
export function applyPlanned(state: State, event: HarnessEvent): void {
  const { seq, version, updatedAtMs } = state;
  apply(state, { seq: seq + 1, stream: PROJECT_STREAM, version: version + 1, atMs: updatedAtMs, event });
}
