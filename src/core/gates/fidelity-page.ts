import { getPercent } from '../base/text.ts';
import type { Fidelity } from './fidelity.ts';
import type { GatePage } from './gate-page.ts';

/** One line of what was found. */
export function getFidelitySummary({
  drift,
  threshold,
  due,
  met,
  partial,
  unmet,
  unknown,
}: Fidelity): string {
  const counts = `${met} met, ${partial} partial, ${unmet} unmet, ${unknown} unknown`;
  return `drift ${getPercent(drift)} (limit ${getPercent(threshold)}), of ${due} due: ${counts}`;
}

/** The report for people. */
export function getFidelityPage(spec: string, commit: string, fidelity: Fidelity): GatePage {
  const { matrix, unrequested, over } = fidelity;
  return {
    title: `Fidelity to ${spec}`,
    lead: [
      `${over ? 'OVER: ' : ''}${getFidelitySummary(fidelity)}`,
      `At commit ${commit}. A requirement is met where every task for it has a proof that holds; those with an open task are not due.`,
    ],
    tables: [
      {
        title: 'Requirements',
        heads: ['Requirement', 'Status', 'Tasks', 'Proofs'],
        rows: matrix.map(({ id, text, line, status, due, tasks, proofs }) => [
          `${id} (line ${line}): ${text}`,
          due ? status : `${status}, not due`,
          tasks.map(task => `${task.id} ${task.standing}`).join(', ') || 'none',
          proofs.map(proof => proof.slice(0, 12)).join(', '),
        ]),
      },
      {
        title: 'Landed, and asked for by nothing',
        heads: ['Task', 'Title'],
        rows: unrequested.map(({ id, title }) => [id, title]),
      },
    ],
  };
}
