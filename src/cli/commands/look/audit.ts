import { type AuditedLanding, type AuditReport, auditProject } from '../../../app/prove/audit.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { type Aside, aside, defineCommand } from '../../command/define-command.ts';
import { text, yes } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';
import type { Style } from '../../terminal/style.ts';

export const audit = defineCommand({
  name: 'audit',
  group: 'looking',
  summary: 'Check every landed commit against its proof; list what was edited since.',
  flags: {
    rerun: yes('prove every task again as well'),
    since: text('<time>', 'only what landed from this time on: 2h, 3d, or a date'),
  },
  examples: ['harness audit --rerun --since 7d'],
  run: (project, { rerun = false, since }, { io, json }) => {
    const sinceMs = since === undefined ? 0 : getTimeMs(since, Date.now(), '--since');
    const input = { sinceMs, rerun };
    return rerun
      ? withReporter(io, json, watch => auditProject(project, { ...input, ...watch }))
      : auditProject(project, input);
  },
  render: (report, { style }) => getLines(report, style),
  exitCode: ({ ok }) => (ok ? 0 : EXIT_CODES.unproven),
});

const FETCH = 'git fetch origin refs/notes/harness-proofs:refs/notes/harness-proofs';

/** What is wrong first, and in one line what is right. */
function getLines(report: AuditReport, style: Style): readonly (string | Aside)[] {
  const { landings, changed, uncommitted, damage, reopened, missing, unproven, ok } = report;
  const sound = landings.filter(({ status }) => status === 'sound').length;
  const isSafe = ok ? style.good('all is as it was proven') : style.bad('NOT as it was proven');
  const bad = [
    // By a proven landing it is in order: `--json` has those.
    ...changed.filter(({ byTask }) => byTask === null).map(getChangedLine),
    ...uncommitted.map(path => `${path} was changed in the checkout`),
    ...damage.map(line => `damaged: ${line}`),
    ...reopened.map(({ task, reason }) => `task ${task} is open again: ${reason}`),
    ...missing.map(task => `task ${task} was recorded as landed and is not in the history`),
  ];
  return [
    ...landings.flatMap(landing => getLandingLines(landing, style)),
    ...bad.map(style.bad),
    ...(unproven.length > 0
      ? [style.warn(`unproven: ${getTasks(unproven)}, marked as passing by hand`)]
      : []),
    `${landings.length} landed, ${sound} with a sound proof: ${isSafe}`,
    aside(`next: ${getNext(report)}`),
  ];
}

function getChangedLine({ path, tasks, commit, author }: AuditReport['changed'][number]): string {
  const proved = `${path}, which proved ${getTasks(tasks)}, was changed by`;
  return `${proved} ${commit.slice(0, 10)} (${author}), which is no proven landing`;
}

function getLandingLines({ task, commit, status, problems, rerun }: AuditedLanding, style: Style): string[] {
  const isQuiet = status === 'sound' && rerun?.ok !== false;
  const paint = isQuiet
    ? style.good
    : status === 'broken' || status === 'bare' || rerun?.ok === false
      ? style.bad
      : style.warn;
  const again = rerun ? `, again: ${rerun.verdict}, ${rerun.result}` : '';
  const lines = [...problems, ...(rerun?.ok === false ? rerun.differences.slice(0, 5) : [])];
  return [
    `${paint(status.padEnd(9))} task ${task} (${commit.slice(0, 10)})${again}`,
    ...lines.map(line => `          ${line}`),
  ];
}

function getTasks(tasks: readonly string[]): string {
  const [first = ''] = tasks;
  return tasks.length === 1 ? `task ${first}` : `tasks ${tasks.join(', ')}`;
}

function getNext({ ok, landings, reopened }: AuditReport): string {
  if (reopened.length > 0) return 'harness run --all   (what is open again is taken first)';
  if (landings.some(({ status }) => status === 'absent')) return `${FETCH}   (or harness audit --rerun)`;
  const broken = landings.find(
    ({ status, rerun }) => !['sound', 'unproven', 'accepted'].includes(status) || rerun?.ok === false,
  );
  return ok || !broken ? 'harness status' : `harness verify ${getShellQuoted(broken.task)}`;
}
