import type { EventOf } from '../../core/events/event.ts';
import type { GateName } from '../../core/model/facts.ts';
import { recordDecision } from '../people/person.ts';
import type { Project } from '../project/open-project.ts';
import { isRecorded } from '../project/store/open-project-store.ts';

type Judged = Omit<EventOf<'gate.judged'>, 'type'>;

/** An earlier look by the same gate. */
export interface PastLook {
  readonly atMs: number;
  readonly commit: string;
  readonly passed: boolean;
  readonly drift: number | null;
}

/** What was found goes on the record, unless it says so already; in a clone that keeps none, nothing does. */
export async function recordLook(project: Project, judged: Judged): Promise<void> {
  if (!isRecorded(project)) return;
  await recordDecision(await project.store(), ({ gates }) => {
    const last = gates.last.get(judged.gate);
    const isKnown =
      last?.commit === judged.commit &&
      (['passed', 'drift', 'summary', 'report'] as const).every(key => last[key] === judged[key]);
    return isKnown ? [] : [{ type: 'gate.judged', ...judged }];
  });
}

/** Every look that was recorded, oldest first. */
export async function readPastLooks(project: Project, gate: GateName): Promise<readonly PastLook[]> {
  if (!isRecorded(project)) return [];
  const events = await (await project.store()).read({ types: ['gate.judged'] });
  return events.flatMap(({ event, atMs }) => {
    if (event.type !== 'gate.judged' || event.gate !== gate) return [];
    const { commit, passed, drift } = event;
    return [{ atMs, commit, passed, drift }];
  });
}

/** What could be released goes off the record, too. */
export async function recordWithdrawal(project: Project, commit: string, why: string): Promise<void> {
  if (!isRecorded(project)) return;
  await recordDecision(await project.store(), ({ gates }) =>
    gates.released === null ? [] : [{ type: 'release.withdrawn', commit: gates.released ?? commit, why }],
  );
}
