import { type HealthView, readHealth } from '../../../app/look/reports.ts';
import type { WatchedFile } from '../../../core/views/health.ts';
import { defineCommand } from '../../command/define-command.ts';
import { getAge, getHealthText } from '../../render/status-text.ts';
import { getRow, type Style } from '../../terminal/style.ts';

export const health = defineCommand({
  name: 'health',
  group: 'looking',
  summary: 'Show a health score of the code, and what it is made of.',
  examples: ['harness health'],
  run: readHealth,
  render: (view, { style }) => [getText(view, style)],
});

function getText(view: HealthView, style: Style): string {
  const { tasks, tests, lint, status } = view;
  const paint = { GOOD: style.good, FAIR: style.warn, POOR: style.bad, UNKNOWN: style.dim }[status];
  const lines = [
    getRow('Project', style.bold(view.project)),
    getRow('Tasks', `${tasks.landed}/${tasks.total} landed${getPercent(view.parts.tasks)}`),
    getRow(
      'Tests',
      tests
        ? `${tests.passing}/${tests.passing + tests.failing} pass${getPercent(view.parts.tests)}${getAge(tests)}`
        : 'not measured yet',
    ),
    getRow('Lint', lint ? getLintText(view) : 'not measured yet'),
    getRow('Growth', getGrowthText(view)),
    ...(view.flaky.length > 0
      ? [
          getRow(
            'Flaky',
            style.warn(
              `${view.flaky.length} tests neither block nor prove: ${view.flaky.slice(0, 3).join(', ')}`,
            ),
          ),
        ]
      : []),
    ...(view.unproven > 0
      ? [getRow('Unproven', style.bad(`${view.unproven} landed by a person's word alone`))]
      : []),
    ...(view.undone ?? []).map(({ task, tests }) =>
      getRow('Undone', style.bad(`task ${task} counts as done, and its own ${tests[0]} fails`)),
    ),
    ...getFileLines(view, style),
    '',
    getRow('Health', paint(getHealthText(view))),
    getRow('Clean-up', getCleanupText(view.tasksUntilCleanup)),
    style.dim('next: harness status'),
  ];
  return lines.join('\n');
}

function getCleanupText(left: number | null): string {
  if (left === null) return 'none, by quality.cleanup_interval';
  return left === 0 ? 'due' : `due after ${left} more landed tasks`;
}

function getLintText({ lintTrend }: HealthView): string {
  const [first, last] = [lintTrend[0], lintTrend.at(-1)];
  if (!first || !last) return 'not measured yet';
  const now = `${last.errors} errors, ${last.warnings} warnings`;
  return first === last
    ? now
    : `${now} (session ${first.session}: ${first.errors} errors, ${first.warnings} warnings)`;
}

function getGrowthText({ growth }: HealthView): string {
  if (growth.length === 0) return 'nothing has landed yet';
  const sum = growth.reduce((total, { grownLines }) => total + grownLines, 0);
  return `${sum >= 0 ? '+' : ''}${sum} lines in known files over the last ${growth.length} landings`;
}

function getFileLines({ largest, maxFileLines, files }: HealthView, style: Style): string[] {
  if (!files) return [];
  const isWatched = ({ isOversized, growsFast }: WatchedFile) => isOversized || growsFast;
  const rest = `${files.total - files.oversized} of ${files.total} files are within ${maxFileLines} lines`;
  return [
    getRow('Files', rest),
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
