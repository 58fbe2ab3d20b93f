import type { Attempt, Feedback, PastAttempt } from './attempt.ts';
import type { AuthoredTest, State, TaskState } from './state.ts';
import type { Handoff } from './tool-entry.ts';

/**
 * What an agent needs to know to start at once, told instead of read. It holds nothing that grows
 * with the project: a brief for the fiftieth task is as short as for the first.
 */
export function getOrientation(state: State, task: TaskState): string {
  return [
    getStateSection(state),
    getLastSessionSection(state),
    getTaskSection(state, task),
    getHistorySection(task, state.active.get(task.def.id)),
  ]
    .filter(section => section !== '')
    .join('\n\n');
}

function getStateSection(state: State): string {
  const total = state.tasks.size - state.counts.removed;
  const percent = total === 0 ? 0 : Math.floor((100 * state.counts.landed) / total);
  const lines = [
    '## Current state',
    '',
    `**Project:** ${state.project}`,
    `**Session:** ${state.sessions}`,
    `**Progress:** ${state.counts.landed}/${total} tasks landed (${percent}%)`,
  ];
  if (state.baseline) {
    const { passing, failing } = state.baseline;
    lines.push(`**Tests on the base:** ${passing.length} pass, ${failing.length} fail`);
  }
  return lines.join('\n');
}

function getLastSessionSection(state: State): string {
  const { lastSession, lastLanded } = state;
  if (!lastSession) return '';
  const lines = [
    `## Last session (${lastSession.session})`,
    '',
    `- Task ${lastSession.task}: ${lastSession.outcome}`,
  ];
  if (lastLanded) lines.push(`- Last landed: task ${lastLanded.task} as ${lastLanded.commit.slice(0, 10)}`);
  return lines.join('\n');
}

function getTaskSection(state: State, task: TaskState): string {
  const { def } = task;
  const lines = ['## Your task', '', `**Task ${def.id}:** ${def.title}`];
  if (def.testFile) lines.push(`**Test file:** ${def.testFile}`);
  if (def.validation) lines.push(`**Validation:** \`${def.validation.command}\``);
  if (def.dependsOn.length > 0) {
    lines.push(`**Builds on:** ${getDependencyNames(state, def.dependsOn)}`);
  }
  if (def.mayChange.length > 0) lines.push(`**May change:** ${def.mayChange.join(', ')}`);
  if (def.verificationSteps.length > 0) {
    lines.push('', 'Done means:', ...def.verificationSteps.map(step => `- ${step}`));
  }
  return lines.join('\n');
}

const MAX_NAMED_DEPENDENCIES = 5;

function getDependencyNames(state: State, ids: readonly string[]): string {
  const names = ids
    .slice(0, MAX_NAMED_DEPENDENCIES)
    .map(id => `${id} (${state.tasks.get(id)?.def.title ?? 'unknown'})`);
  const left = ids.length - names.length;
  return [...names, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

function getHistorySection(task: TaskState, attempt: Attempt | undefined): string {
  if (attempt?.feedback) return getFeedback(attempt.feedback);
  const last = task.history.at(-1);
  if (last && task.authored?.attempt === last.number) return getAuthoredSection(task.authored);
  if (!last || last.outcome === 'landed') return '';
  const isKept = attempt ? isContinued(attempt) : last.outcome === 'partial' && last.wip !== null;
  return [`## Attempt ${last.number} did not land`, '', ...getLastAttemptLines(last, isKept)].join('\n');
}

function getAuthoredSection({ files }: AuthoredTest): string {
  return [
    '## The test is written',
    '',
    `${Object.keys(files).join(', ')} was written for this task by somebody else and lies in your working directory.`,
    'It is protected: make it pass as it is.',
  ].join('\n');
}

/** What an agent is told about work that was not accepted and that is still its own to put right. */
export function getFeedback({ reason, findings }: Feedback): string {
  return [
    '## Your work was not accepted',
    '',
    `**Why:** ${reason}`,
    '',
    ...findings.slice(0, 20).map(finding => `- ${finding}`),
    '',
    'Your files are as you left them. Put this right, run the tests again, and only then say that you are done.',
  ].join('\n');
}

/** Work that no longer fitted onto the base was left out: the worktree then holds the base alone. */
function isContinued(attempt: Attempt): boolean {
  return attempt.startWip !== null && attempt.checkpoint?.commit !== attempt.base;
}

function getLastAttemptLines(last: PastAttempt, isKept: boolean): string[] {
  const lines = [`**Why:** ${last.reason}`];
  if (last.findings.length > 0) lines.push('', ...last.findings.slice(0, 20).map(finding => `- ${finding}`));
  if (last.handoff) lines.push('', ...getHandoffLines(last.handoff));
  if (isKept) {
    lines.push('', 'Its files are still in your working directory. Go on from them; do not start again.');
  }
  return lines;
}

function getHandoffLines({ phase, completed, next_step, critical_files, memory_notes }: Handoff): string[] {
  return [
    `**Left off at:** ${phase}`,
    ...(completed.length > 0 ? [`**Completed:** ${completed.join('; ')}`] : []),
    `**Next step:** ${next_step}`,
    ...(critical_files.length > 0 ? [`**Critical files:** ${critical_files.join(', ')}`] : []),
    ...(memory_notes ? [`**Notes:** ${memory_notes}`] : []),
  ];
}
