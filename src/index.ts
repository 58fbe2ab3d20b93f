import { openProject as openAround, type Project } from './app/project/open-project.ts';

/** Opens the project around a folder; `close` it when nothing more is asked of it. */
export function openProject({
  repoRoot = process.cwd(),
  env = process.env,
}: {
  readonly repoRoot?: string;
  readonly env?: Project['env'];
} = {}): Promise<Project> {
  return openAround({ cwd: repoRoot, env });
}

export { type Diagnosis, examine } from './app/doctor/examine.ts';
export { type FidelityInput, type FidelityResult, judgeFidelity } from './app/gates/fidelity.ts';
export { judgeRelease, type ReleaseInput, type ReleaseResult } from './app/gates/release.ts';
export { readHealth, readReport } from './app/look/reports.ts';
export type { NextView, StatusView } from './app/look/status-view.ts';
export { abortRuns, askForCleanup, controlRuns } from './app/people/control.ts';
export { overrideTask, resetTasks, type Skipped, skipTask } from './app/people/decisions.ts';
export { type HandedOff, handOff, type Submitted, submitWork } from './app/people/hand-over.ts';
export {
  type Answer,
  type Answered,
  answerQuestion as answer,
  type Inbox,
  readInbox,
} from './app/people/questions.ts';
export { type Reviewed, readWorkToReview, reviewWork } from './app/people/review.ts';
export { type AddInput, type AddResult, addTaskToBacklog } from './app/plan/add-task.ts';
export { type CaptureInput, type CaptureResult, captureSpec } from './app/plan/capture-spec.ts';
export { type InitFromSpecInput, initFromSpec } from './app/plan/init-from-spec.ts';
export { addFeature, type PlanInput, planSpec, settleSavedPlan, splitTask } from './app/plan/plan-work.ts';
export { type SetUpInput, type SetUpResult, setUp } from './app/plan/set-up.ts';
export type { PlanResult } from './app/plan/settle-plan.ts';
export { type Checkout, openCheckout, type Where } from './app/project/open-checkout.ts';
export type { Project } from './app/project/open-project.ts';
export type { TrialWatcher, Watch, WatchTrial } from './app/project/watch.ts';
export { type AuditInput, type AuditReport, auditProject } from './app/prove/audit.ts';
export { readTaskProof, type TaskProof } from './app/prove/read-task-proof.ts';
export { type VerifiedChange, type VerifyChangeInput, verifyChange } from './app/prove/verify-change.ts';
export { type VerifyInput, type VerifyResult, verifyTask } from './app/prove/verify-task.ts';
export { previewRun, type RunPreview } from './app/run/preview-run.ts';
export { type RecoverInput, type RecoverResult, recover } from './app/run/recover.ts';
export { type ObjectiveInput, type ObjectiveResult, runObjective } from './app/run/run-objective.ts';
export { type RunInput, type RunResult, runTask, runTasks } from './app/run/run-tasks.ts';
export { submitAll, type TakenBack } from './app/run/submit-all.ts';
export type { Config, ConfigInput } from './config/sections/schema.ts';
export { EXIT_CODES, HarnessError } from './core/base/failure.ts';
export type { HarnessEvent, StoredEvent } from './core/events/event.ts';
export { fold } from './core/events/fold.ts';
export type { Policy } from './core/model/policy.ts';
export type { OpenQuestion } from './core/model/question.ts';
export type { State } from './core/state/state.ts';
export type { AgentEvent, Reporter, Store } from './ports/index.ts';
