import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/read-index.ts';
import type { State } from '../../../core/state/state.ts';
import {
  getFlakyTests,
  getHealth,
  getLargestFiles,
  getTasksUntilCleanup,
  type WatchedFile,
} from '../../../core/views/health.ts';
import { Journal } from '../../../loop/journal.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle, type Style } from '../../terminal/style.ts';

const MAX_FILES = 5;
const MAX_SESSIONS = 10;

/** `harness health`: one score and what it is made of, from the record alone. */
export async function health(io: Io, options: CommonOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const store = await openProjectStore(project);
  try {
    const journal = new Journal(store, async () => undefined);
    await journal.refresh();
    const { max_file_lines, cleanup_interval } = project.config.quality;
    const view = getView(journal.state, { maxFileLines: max_file_lines, interval: cleanup_interval });
    io.out(options.json ? JSON.stringify(view) : render(view, createStyle(io.colourOut)));
  } finally {
    await store.close();
  }
}

type View = ReturnType<typeof getView>;

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

function render(view: View, style: Style): string {
  const { tasks, tests, lint, status, score } = view;
  const paint = { GOOD: style.good, FAIR: style.warn, POOR: style.bad }[status];
  const lines = [
    row('Project', style.bold(view.project)),
    row('Tasks', `${tasks.landed}/${tasks.total} landed${getPercent(view.parts.tasks)}`),
    row(
      'Tests',
      tests
        ? `${tests.passing}/${tests.passing + tests.failing} pass${getPercent(view.parts.tests)}`
        : 'not measured yet',
    ),
    row('Lint', lint ? getLintText(view) : 'not measured yet'),
    row('Growth', getGrowthText(view)),
    ...(view.flaky.length > 0
      ? [
          row(
            'Flaky',
            style.warn(
              `${view.flaky.length} tests neither block nor prove: ${view.flaky.slice(0, 3).join(', ')}`,
            ),
          ),
        ]
      : []),
    ...(view.unproven > 0
      ? [row('Unproven', style.bad(`${view.unproven} landed by a person's word alone`))]
      : []),
    ...getFileLines(view, style),
    '',
    row('Health', paint(`${status}, ${score} of 100`)),
    row('Clean-up', getCleanupText(view.tasksUntilCleanup)),
    style.dim('next: harness status'),
  ];
  return lines.join('\n');
}

function getCleanupText(left: number | null): string {
  if (left === null) return 'none, by quality.cleanup_interval';
  return left === 0 ? 'due' : `due after ${left} more landed tasks`;
}

function getLintText({ lintTrend }: View): string {
  const [first, last] = [lintTrend[0], lintTrend.at(-1)];
  if (!first || !last) return 'not measured yet';
  const now = `${last.errors} errors, ${last.warnings} warnings`;
  return first === last
    ? now
    : `${now} (session ${first.session}: ${first.errors} errors, ${first.warnings} warnings)`;
}

function getGrowthText({ growth }: View): string {
  if (growth.length === 0) return 'nothing has landed yet';
  const sum = growth.reduce((total, { grownLines }) => total + grownLines, 0);
  return `${sum >= 0 ? '+' : ''}${sum} lines in known files over the last ${growth.length} landings`;
}

function getFileLines({ largest, maxFileLines, files }: View, style: Style): string[] {
  if (!files) return [];
  const isWatched = ({ isOversized, growsFast }: WatchedFile) => isOversized || growsFast;
  const rest = `${files.total - files.oversized} of ${files.total} files that were worked on are within ${maxFileLines} lines`;
  return [
    row('Files', rest),
    ...largest.map(file => {
      const growth = file.growth === 0 ? '' : `, ${file.growth > 0 ? '+' : ''}${file.growth} a session`;
      const advice = file.isOversized ? ': split it' : file.growsFast ? ': grows fast' : '';
      const text = `  ${file.path}: ${file.lines} lines${growth}${advice}`;
      return isWatched(file) ? style.warn(text) : text;
    }),
  ];
}

function getPercent(share: number | null): string {
  return share === null ? '' : ` (${Math.floor(100 * share)}%)`;
}

function row(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)}${text}`;
}
