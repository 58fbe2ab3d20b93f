import type { State } from '../../core/state/state.ts';
import { getFlakyTests, getHealth, getLargestFiles, getTasksUntilCleanup } from '../../core/views/health.ts';
import { openJournal } from '../project/open-journal.ts';
import type { Project } from '../project/open-project.ts';

const MAX_FILES = 5;
const MAX_SESSIONS = 10;

export type HealthView = ReturnType<typeof getView>;

/** One score and what it is made of, from the record alone. */
export async function readHealth(project: Project): Promise<HealthView> {
  const { max_file_lines, cleanup_interval } = project.config.quality;
  const { state } = await openJournal(project);
  return getView(state, { maxFileLines: max_file_lines, interval: cleanup_interval });
}

function getView(state: State, quality: { readonly maxFileLines: number; readonly interval: number }) {
  const { history } = state.quality;
  return {
    project: state.project,
    ...getHealth(state),
    lintTrend: history
      .flatMap(({ session, lint }) => (lint ? [{ session, ...lint }] : []))
      .slice(-MAX_SESSIONS),
    growth: history
      .map(({ session, task, grownLines }) => ({ session, task, grownLines }))
      .slice(-MAX_SESSIONS),
    largest: getLargestFiles(state, MAX_FILES),
    maxFileLines: quality.maxFileLines,
    flaky: getFlakyTests(state),
    unproven: state.unproven,
    tasksUntilCleanup: getTasksUntilCleanup(state, quality.interval),
  };
}
