import { type FidelityResult, judgeFidelity } from '../../../app/gates/fidelity.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { getFidelitySummary } from '../../../core/gates/fidelity-page.ts';
import { type Aside, aside, defineCommand } from '../../command/define-command.ts';
import { text } from '../../command/flags.ts';
import type { Style } from '../../terminal/style.ts';

export const fidelity = defineCommand({
  name: 'fidelity',
  group: 'judging',
  summary: 'Hold what was asked for against what is proven: requirement, tasks, proofs.',
  flags: { spec: text('<file>', 'the specification or acceptance file; fidelity.spec_path when not given') },
  examples: ['harness fidelity --spec docs/spec.md'],
  run: (project, input) => judgeFidelity(project, input),
  render: (result, { style }) => getLines(result, style),
  exitCode: ({ over }) => (over ? EXIT_CODES.unproven : 0),
});

function getLines(result: FidelityResult, style: Style): readonly (string | Aside)[] {
  const { matrix, unrequested, over, report } = result;
  const paint = { met: style.good, partial: style.warn, unmet: style.bad, unknown: style.bad };
  const rows = matrix.map(({ id, line, status, due, tasks }) => {
    const named = tasks.map(task => `${task.id} ${task.standing}`).join(', ') || 'no task';
    return `${paint[status](status.padEnd(8))} ${id} (line ${line}): ${named}${due ? '' : '; not due yet'}`;
  });
  const summary = getFidelitySummary(result);
  return [
    ...rows,
    ...unrequested.map(({ id, title }) => style.warn(`unrequested: task ${id}, ${title}`)),
    over ? style.bad(`OVER: ${summary}`) : style.good(summary),
    aside(`report: ${report}`),
  ];
}
