import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import type { State } from '../../core/state/state.ts';
import { getFlakyTests, getHealth, getLargestFiles, getTasksUntilCleanup } from '../../core/views/health.ts';
import { getReport, type Report } from '../../core/views/report.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';

/** What happened in a span of time, proven, rejected and spent, and what waits for a person now. */
export async function readReport(
  project: Project,
  { fromMs, toMs = Date.now() }: { readonly fromMs: number; readonly toMs?: number },
): Promise<Report> {
  const { state } = await openJournal(project);
  const events = await (await project.store()).read({});
  return { ...getReport(state, events, { fromMs, toMs }), project: project.policy.project };
}

/** Puts a report where somebody wants it: whole, or not at all. */
export function writeReport(file: string, text: string): void {
  writeAtomic(file, text, { durable: true });
}

const MAX_FILES = 5;
const MAX_SESSIONS = 10;

export type HealthView = ReturnType<typeof getView>;

/** One score and what it is made of, from the record and the committed backlog. */
export async function readHealth(project: Project): Promise<HealthView> {
  const { max_file_lines, cleanup_interval } = project.config.quality;
  await syncBacklog(project, await project.store(), await readBacklogAtTip(project));
  const { state } = await openJournal(project);
  return getView(state, {
    project: project.policy.project,
    maxFileLines: max_file_lines,
    interval: cleanup_interval,
  });
}

function getView(
  state: State,
  quality: { readonly project: string; readonly maxFileLines: number; readonly interval: number },
) {
  const { history } = state.quality;
  return {
    project: quality.project,
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
