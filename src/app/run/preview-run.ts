import { getDueCleanup } from '../../core/decide/cleanup.ts';
import { getSessionRole } from '../../core/model/role.ts';
import { getBrief, getPromptName } from '../../core/prompt/brief.ts';
import { getPrompt } from '../../core/prompt/prompt.ts';
import { getStartWip } from '../../core/state/attempt.ts';
import type { State } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { getDecided } from '../../core/views/index-rows.ts';
import { getNextView } from '../look/status-view.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { refuseNoAgent } from '../project/before-agents.ts';
import { getKnownTask, getNotReadyError } from '../project/check-task.ts';
import { readIndexView } from '../project/index-view.ts';
import type { Project } from '../project/open-project.ts';
import { applyPlanned, getIndexOfState, readPlannedState } from '../project/planned-state.ts';
import { readViewFacts } from '../project/save-fingerprint.ts';

export type RunPreview =
  | { readonly dryRun: true; readonly task: null; readonly why: string }
  | { readonly dryRun: true; readonly task: string; readonly title: string; readonly decided: string }
  | ({ readonly dryRun: true } & ReturnType<typeof getPlan>);

/** What a run would do, and nothing of it. */
export async function previewRun(project: Project, input: { readonly task?: string }): Promise<RunPreview> {
  refuseNoAgent(project);
  const backlog = await readBacklogAtTip(project);
  const state = await readPlannedState(project, backlog);
  const due = input.task === undefined ? getDueCleanup(state, project.policy) : null;
  if (due) applyPlanned(state, { type: 'task.added', def: due });
  const facts = await readViewFacts(project, backlog);
  const { next, why } = getNextView(readIndexView(getIndexOfState(state), facts, project.stateDir));
  const id = input.task ?? next?.id ?? null;
  if (id === null) return { dryRun: true, task: null, why };
  const task = getKnownTask(state, id, '--task');
  const problem = getNotReadyError(state, task);
  if (problem) throw problem;
  const decided = getDecided(task);
  if (decided !== null) return { dryRun: true, task: id, title: task.def.title, decided };
  return { dryRun: true, ...getPlan(project, state, task, backlog.tip?.commit ?? backlog.heads.base) };
}

function getPlan(project: Project, state: State, task: TaskState, base: string) {
  const { def } = task;
  const promptType = getSessionRole(getStartWip(task.history), def);
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
    agent: project.policy.models[promptType].provider,
    base,
    costGuessUsd: getCostGuess(state),
    prompt: getPrompt(project.policy, getPromptName(promptType), getBrief(state, task, project.policy)),
  } as const;
}

/** Only in memory: the prompt names the session, so it has to be counted. */
function startAttempt(state: State, task: TaskState, base: string): void {
  applyPlanned(state, {
    type: 'attempt.started',
    task: task.def.id,
    attempt: task.started + 1,
    session: state.sessions + 1,
    worker: 'dry-run',
    slot: 0,
    base,
    baseTree: '',
    wip: getStartWip(task.history),
  });
}

/** The mean of what sessions have cost so far; null before the first. */
function getCostGuess(state: State): number | null {
  const sessions = [...state.tasks.values()].reduce((sum, task) => sum + task.sessions, 0);
  return sessions === 0 ? null : state.costs.usage.costUsd / sessions;
}
