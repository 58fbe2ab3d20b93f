import type { Reopened, Rerun } from '../../app/prove/rerun-all.ts';
import type { Audited } from '../../core/proof/audit.ts';
import type { ChangedTest } from '../../core/testing/changed-tests.ts';

import type { Io } from '../terminal/io.ts';
import { createStyle, type Style } from '../terminal/style.ts';

const FETCH = 'git fetch origin refs/notes/harness-proofs:refs/notes/harness-proofs';

/** The audit for people: what is wrong first, and in one line what is right. */
export function tellAudit(io: Io, report: AuditReport): void {
  const style = createStyle(io.colourOut);
  for (const landing of report.landings) for (const line of getLandingLines(landing, style)) io.out(line);
  for (const { path, tasks, commit, author, byTask } of report.changed) {
    // By a proven landing it is in order: `--json` has those.
    if (byTask !== null) continue;
    const proved = `${path}, which proved ${getTasks(tasks)}, was changed by`;
    io.out(style.bad(`${proved} ${commit.slice(0, 10)} (${author}), which is no proven landing`));
  }
  for (const path of report.uncommitted) io.out(style.bad(`${path} was changed in the checkout`));
  for (const line of report.damage) io.out(style.bad(`damaged: ${line}`));
  for (const { task, reason } of report.reopened) io.out(style.bad(`task ${task} is open again: ${reason}`));
  for (const task of report.missing)
    io.out(style.bad(`task ${task} was recorded as landed and is not in the history`));
  if (report.unproven.length > 0)
    io.out(style.warn(`unproven: ${getTasks(report.unproven)}, marked as passing by hand`));
  const sound = report.landings.filter(({ status }) => status === 'sound').length;
  const word = report.ok ? style.good('all is as it was proven') : style.bad('NOT as it was proven');
  io.out(`${report.landings.length} landed, ${sound} with a sound proof: ${word}`);
  io.err(`next: ${getNext(report)}`);
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
    ({ status, rerun }) => !['sound', 'unproven'].includes(status) || rerun?.ok === false,
  );
  return ok || !broken ? 'harness status' : `harness verify ${broken.task}`;
}

/** One landing with all that was found about it. */
export interface AuditedLanding extends Audited {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
  readonly proof: string | null;
  readonly rerun?: Rerun;
}

export interface AuditReport {
  readonly ok: boolean;
  /** Proofs, landings and records hold together, whatever people did to the tests since. */
  readonly sound: boolean;
  readonly tip: string;
  readonly landings: readonly AuditedLanding[];
  /** Tests that are not what tasks were proven with; by a proven landing that is in order. */
  readonly changed: readonly ChangedTest[];
  /** Tests that differ in the checkout from the commit that it is on. */
  readonly uncommitted: readonly string[];
  /** Objects of landed trees that are not what their names say. */
  readonly damage: readonly string[];
  /** Recorded here as landed, and not in the history. */
  readonly missing: readonly string[];
  /** Tasks that the backlog says pass, and that nobody has landed. */
  readonly unproven: readonly string[];
  /** Landed tasks whose own proof a later change broke: as recorded here, and as `--rerun` sees them at the tip. */
  readonly reopened: readonly Reopened[];
}
