import { getCount, getFirstLine } from '../base/text.ts';
import type { Verdict } from '../model/check.ts';
import type { Leftover } from '../model/facts.ts';
import type { Stage } from '../state/attempt.ts';
import { getRecovery } from '../state/leftover.ts';

/** What is done about an attempt whose worker is gone, by where it was. */
const NEXT: Readonly<Record<Stage, string>> = {
  leased: 'begin again',
  prepared: 'begin again',
  ready: 'begin again',
  'in-session': 'look at what its session left',
  'session-over': 'go on where its session had ended',
  candidate: 'judge what its session left',
  judged: 'go on from its verdict',
  queued: 'land it with the next batch',
  landing: 'land it, once',
};

export function getAdoptedLine(task: string, stage: Stage, lost: string): string {
  return getLine(task, NEXT[stage], lost);
}

/** What follows from what a session left that was cut off. */
export function getLeftoverLine(task: string, left: Leftover, files: number): string {
  const { action, reason } = getRecovery(left);
  if (action === 'again') return getLine(task, 'begin again', `no progress detected: ${reason}`);
  const found = `${getCount(files, 'file')} changed, ${getCount(left.steps, 'step')} recorded`;
  return getLine(task, 'run the checks on it', `${found}: ${reason}`);
}

/** What the checks say of it. */
export function getJudgedLine(task: string, { word, reason }: Verdict): string {
  if (word === 'proven') return getLine(task, 'complete it', `what the session left is proven: ${reason}`);
  return getLine(task, 'go on with its files', `what the session left is not enough: ${reason}`);
}

function getLine(task: string, action: string, reason: string): string {
  const quoted = getFirstLine(reason).replaceAll('"', "'");
  return `RECOVERY [${task}] action="${action}" reason="${quoted}"`;
}
