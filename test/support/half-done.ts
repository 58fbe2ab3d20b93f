import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { State } from '../../src/core/state/state.ts';
import { makeTask } from './history.ts';
import { foldAll, landing, synced } from './pipeline.ts';

export const TITLE = 'Let a person reset a forgotten password by mail';

/** A project half done, with something in every place; the last task depends on all before it. */
export function makeHalfDone(count: number): State {
  const ids = Array.from({ length: count }, (_, i) => String(i + 1));
  const tasks = ids.map((id, i) => ({
    ...makeTask(id, i === count - 1 ? ids.slice(0, -1) : []),
    title: TITLE,
    verificationSteps: STEPS,
  }));
  const done = ids.slice(0, count / 2).flatMap((id, i) => tellMore(id, landing(id, { session: i + 1 })));
  const measured: HarnessEvent = {
    type: 'baseline.measured',
    tree: 't',
    command: 'npm test',
    passing: ids,
    failing: [],
  };
  return foldAll(synced(tasks), measured, done);
}

const STEPS = [
  'a mail with a link arrives at the address of the account',
  'the link opens a page that asks for the new password twice',
  'a link that is older than one hour is refused with the message "This link has expired"',
  'a link that was used once is refused',
  'after the change, sessions on other devices are signed out',
];

/** Sessions that decide things and files in folders of their own. */
function tellMore(id: string, events: readonly HarnessEvent[]): HarnessEvent[] {
  return events.map(event => {
    if (event.type === 'session.ended') {
      const decisions = [
        `tokens for part ${id} are kept as hashes, because a leaked table must not let anybody in`,
      ];
      return { ...event, decisions };
    }
    if (event.type !== 'candidate.taken') return event;
    return { ...event, lines: { [`src/accounts/part-${id}/reset.ts`]: 120, [`src/mail/part-${id}.ts`]: 80 } };
  });
}
