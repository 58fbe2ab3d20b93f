import type { SessionNote } from '../model/agent-event.ts';
import type { Attempt, Feedback, PastAttempt } from '../state/attempt.ts';
import type { AuthoredTest, TaskState } from '../state/task-state.ts';

/** A file of unfinished work that lies in the worktree. */
export interface WipFile {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** Null for what is gone or is no text. */
  readonly lines: number | null;
}

/** What became of the task so far: nothing for one that is begun. */
export function getContinuation(
  task: TaskState,
  attempt: Attempt | undefined,
  wip: readonly WipFile[],
): string {
  if (attempt?.feedback) return getFeedback(attempt.feedback);
  const last = task.history.at(-1);
  if (last && task.authored?.attempt === last.number) return getAuthoredSection(task.authored);
  if (!last || last.outcome === 'landed') return '';
  const isKept = attempt ? isContinued(attempt) : last.outcome === 'partial' && last.wip !== null;
  return [
    `## Attempt ${last.number} did not land`,
    '',
    ...getLastAttemptLines(last, isKept),
    ...(isKept ? getEarlierNoteLines(task.history) : []),
    ...(isKept ? getWipLines(wip) : []),
  ].join('\n');
}

/** Work that no longer fitted onto the base was left out: the worktree then holds the base alone. */
export function isContinued(attempt: Attempt): boolean {
  return attempt.startWip !== null && attempt.checkpoint?.commit !== attempt.base;
}

/** What an agent is told about work that was not accepted and that is still its own to put right. */
export function getFeedback({ reason, findings }: Feedback): string {
  return [
    '## Your work was not accepted',
    '',
    `**Why:** ${reason}`,
    '',
    ...getFindingLines(findings),
    '',
    'Your files are as you left them. Put this right, run the tests again, and only then say that you are done.',
  ].join('\n');
}

function getAuthoredSection({ files }: AuthoredTest): string {
  return [
    '## The test is written',
    '',
    `${Object.keys(files).join(', ')} was written for this task by somebody else and lies in your working directory.`,
    'It is protected: make it pass as it is.',
  ].join('\n');
}

const MAX_FINDINGS = 20;

function getFindingLines(findings: readonly string[]): string[] {
  return findings.slice(0, MAX_FINDINGS).map(finding => `- ${finding}`);
}

/** A list of what was written helps nobody who does not have the files; what an agent had to say may. */
function getLastAttemptLines({ reason, findings, sessionNote }: PastAttempt, isKept: boolean): string[] {
  return [
    `**Why:** ${reason}`,
    ...(findings.length > 0 ? ['', ...getFindingLines(findings)] : []),
    ...(sessionNote && (isKept || sessionNote.by !== 'harness')
      ? ['', ...getSessionNoteLines(sessionNote)]
      : []),
  ];
}

/** What somebody said further back holds until somebody says something else, however silent the sessions since. */
function getEarlierNoteLines(history: readonly PastAttempt[]): string[] {
  const last = history.at(-1)?.sessionNote ?? null;
  if (last !== null && last.by !== 'harness') return [];
  const start = history.findLastIndex(({ outcome }) => outcome !== 'partial') + 1;
  const earlier = history
    .slice(start, -1)
    .findLast(({ sessionNote }) => sessionNote !== null && sessionNote.by !== 'harness');
  if (!earlier?.sessionNote) return [];
  return ['', `Attempt ${earlier.number} left word:`, '', ...getSessionNoteLines(earlier.sessionNote)];
}

function getSessionNoteLines({
  phase,
  completed,
  next_step,
  critical_files,
  memory_notes,
}: SessionNote): string[] {
  return [
    `**Left off at:** ${phase}`,
    ...(completed.length > 0 ? ['', '**Done so far:**', ...completed.map(one => `- ${one}`), ''] : []),
    `**What is left:** ${next_step}`,
    ...(critical_files.length > 0 ? [`**Files that matter:** ${critical_files.join(', ')}`] : []),
    ...(memory_notes ? [`**Notes:** ${memory_notes}`] : []),
  ];
}

const MAX_WIP_FILES = 20;

function getWipLines(wip: readonly WipFile[]): string[] {
  const left = wip.length - MAX_WIP_FILES;
  const files = wip.slice(0, MAX_WIP_FILES).map(getWipLine);
  return [
    ...(files.length > 0 ? ['', '**Unfinished files:**', ...files] : []),
    ...(left > 0 ? [`- and ${left} more`] : []),
    '',
    'Its files are still in your working directory. Go on from them; do not start again.',
  ];
}

function getWipLine({ path, kind, lines }: WipFile): string {
  return `- ${path} (${kind}${lines === null ? '' : `, ${lines} lines now`})`;
}
