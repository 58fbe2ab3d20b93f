import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getKnownTask, getNotReadyError } from '../../../app/project/check-task.ts';
import { readIndexView } from '../../../app/project/index-view.ts';
import type { Project } from '../../../app/project/open-project.ts';
import { getIndexOfState, readPlannedState } from '../../../app/project/planned-state.ts';
import { readViewFacts } from '../../../app/project/remember-hot.ts';
import { getStartWip } from '../../../core/decide/retry.ts';
import { apply } from '../../../core/events/fold.ts';
import { getSessionRole } from '../../../core/model/role.ts';
import { getBrief, getPromptName } from '../../../core/prompt/brief.ts';
import { getPrompt } from '../../../core/prompt/prompt.ts';
import type { State } from '../../../core/state/state.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import { PROJECT_STREAM } from '../../../loop/journal.ts';
import { getNextView } from '../../render/next-view.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';

/** `harness run --dry-run`: what would happen, and nothing of it. */
export async function dryRun(io: Io, project: Project, options: RunCommandOptions): Promise<void> {
  const backlog = await readBacklogAtTip(project);
  const state = await readPlannedState(project, backlog);
  const facts = readViewFacts(project, backlog);
  const { next, why } = getNextView(readIndexView(getIndexOfState(state), facts));
  const id = options.task ?? next?.id ?? null;
  if (id === null) {
    if (options.json) io.out(JSON.stringify({ dryRun: true, task: null, why }));
    else io.out(`Nothing to run: ${why}\nNo changes made.\nnext: harness status`);
    return;
  }
  const task = getKnownTask(state, id, '--task');
  const problem = getNotReadyError(state, task);
  if (problem) throw problem;
  const plan = getPlan(project, state, task, backlog.tip?.commit ?? backlog.heads.base);
  if (options.json) io.out(JSON.stringify({ dryRun: true, ...plan }));
  else io.out(render(plan, io));
}

type Plan = ReturnType<typeof getPlan>;

function getPlan(project: Project, state: State, task: TaskState, base: string) {
  const { def } = task;
  const promptType = getSessionRole(getStartWip(task.history), false, def.kind);
  if (task.status === 'pending' || task.status === 'retry') startAttempt(state, task, base);
  return {
    session: state.sessions,
    task: def.id,
    title: def.title,
    attempt: task.started,
    maxAttempts: def.maxAttempts,
    promptType,
    testFile: def.testFile,
    validation: def.validation?.command ?? null,
    agent: project.config.agent.provider,
    base,
    costGuessUsd: getCostGuess(state),
    prompt: getPrompt(project.policy, getPromptName(promptType), getBrief(state, task, project.policy)),
  } as const;
}

/** Only in memory: the prompt names the session, so it has to be counted. */
function startAttempt(state: State, task: TaskState, base: string): void {
  const { seq, version, updatedAtMs } = state;
  apply(state, {
    seq: seq + 1,
    stream: PROJECT_STREAM,
    version: version + 1,
    atMs: updatedAtMs,
    event: {
      type: 'attempt.started',
      task: task.def.id,
      attempt: task.started + 1,
      session: state.sessions + 1,
      worker: 'dry-run',
      slot: 0,
      base,
      baseTree: '',
      wip: getStartWip(task.history),
    },
  });
}

/** The mean of what sessions have cost so far; null before the first. */
function getCostGuess(state: State): number | null {
  const sessions = [...state.tasks.values()].reduce((sum, task) => sum + task.sessions, 0);
  return sessions === 0 ? null : state.costs.usage.costUsd / sessions;
}

function render(plan: Plan, io: Io): string {
  const style = createStyle(io.colourOut);
  const cost =
    plan.costGuessUsd === null
      ? 'no sessions yet to guess from'
      : `about $${plan.costGuessUsd.toFixed(2)}, the mean so far`;
  return [
    `Would run session ${plan.session} on ${style.bold(`task ${plan.task}`)}: ${plan.title}`,
    '',
    `Prompt type: ${plan.promptType}`,
    `Attempt:     ${plan.attempt} (${plan.maxAttempts} count)`,
    ...(plan.testFile ? [`Test file:   ${plan.testFile}`] : []),
    ...(plan.validation ? [`Validation:  ${plan.validation}`] : []),
    `Agent:       ${plan.agent}`,
    `Base:        ${plan.base.slice(0, 10)}`,
    `Cost:        ${cost}`,
    '',
    'Prompt:',
    ...plan.prompt
      .trimEnd()
      .split('\n')
      .map(line => `  ${style.dim('│')} ${line}`.trimEnd()),
    '',
    'No changes made.',
    style.dim('next: harness run'),
  ].join('\n');
}

export interface RunCommandOptions extends CommonOptions {
  readonly all?: boolean;
  readonly task?: string;
  readonly maxSessions?: number;
  readonly maxTasks?: number;
  readonly for?: string;
  readonly until?: string;
  readonly maintain?: boolean;
  readonly dryRun?: boolean;
}
