import type { StopReason } from '../core/action.ts';
import type { RunReport } from '../loop.ts';
import type { Store } from '../ports.ts';
import { askOpen } from './ask-open.ts';
import type { Io } from './io.ts';
import type { Project } from './open-project.ts';
import { readPersonName } from './person.ts';

/** Ends that a person wanted: whatever they answer then is for the next run. */
const WANTED: ReadonlySet<StopReason> = new Set(['session-limit', 'task-limit', 'time', 'asked', 'paused']);

/** Where somebody sits at the terminal, a run that only waits for them asks, and goes on with the answer. */
export async function attend(
  io: Pick<Io, 'err'>,
  there: { readonly project: Project; readonly store: Store } | null,
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  const later = new Set<string>();
  for (let report = await run(); ; ) {
    const questions = report.questions.filter(({ id }) => !later.has(id));
    if (there === null || questions.length === 0) return report;
    const { project, store } = there;
    const by = await readPersonName(project.root, undefined);
    const answered = await askOpen(io, { store, policy: project.policy, by }, questions);
    for (const { id } of questions) if (!answered.includes(id)) later.add(id);
    if (answered.length === 0) return report;
    if (WANTED.has(report.why))
      return { ...report, questions: report.questions.filter(({ id }) => !answered.includes(id)) };
    const before = report.ended;
    const next = await run();
    report = { ...next, ended: [...before, ...next.ended] };
  }
}
