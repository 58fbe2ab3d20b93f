import type { ActiveTask } from '../../app/project/index-view.ts';
import { getUtcMinute } from '../../core/base/utc-minute.ts';
import type { Style } from '../terminal/style.ts';

/** Who works on what, a text for each; with several workers it says which of them, and since when. */
export function getActiveTexts(all: readonly ActiveTask[], style: Style): readonly string[] {
  const areSeveral = all.length > 1 || all.some(({ lane }) => lane !== null);
  return all.map(active => {
    // Nobody works on it any more: whoever lands next takes it along.
    if (active.stage === 'queued')
      return `task ${active.task}, attempt ${active.attempt}: waits in the merge queue`;
    const isElsewhere = active.life === 'unknown';
    return areSeveral || isElsewhere ? getLongText(active, style) : getShortText(active, style);
  });
}

function getShortText({ task, attempt, stage, pid, life }: ActiveTask, style: Style): string {
  const what = `task ${task}, attempt ${attempt}: ${stage}`;
  if (life === 'gone')
    return `${what} ${style.warn(`(its worker${pid === null ? '' : `, pid ${pid},`} is gone)`)}`;
  return pid === null ? what : `${what} (pid ${pid})`;
}

function getLongText(active: ActiveTask, style: Style): string {
  const { task, attempt, stage, startedAtMs, life } = active;
  const since = startedAtMs === null ? '' : `, since ${getUtcMinute(startedAtMs)} UTC`;
  const what = `task ${task}, attempt ${attempt}: ${stage}${since}`;
  const who = getWho(active);
  if (life === 'gone') return `${what} ${style.warn(`(its worker${who && `, ${who},`} is gone)`)}`;
  return who === '' ? what : `${what} (${who})`;
}

/** This machine needs no name. */
function getWho({ lane, pid, host, life }: ActiveTask): string {
  const place = life === 'unknown' && host !== null ? ` on ${host}` : '';
  return [...(lane === null ? [] : [`lane ${lane}`]), ...(pid === null ? [] : [`pid ${pid}${place}`])].join(
    ', ',
  );
}
