import { HarnessError } from '../core/base/failure.ts';
import { getBacklogChange } from '../core/decide/backlog-diff.ts';
import { getCycleQuestion } from '../core/people/project-question.ts';
import { getCommitLine } from '../core/shell/commit-line.ts';
import type { Backlog, Workspace } from '../ports/index.ts';
import type { StepContext, StepResult } from './step.ts';

/** The little of the world that this step needs, so that `status` can take it without a run. */
interface SyncContext extends Pick<StepContext, 'policy' | 'state'> {
  readonly ports: {
    readonly workspace: Pick<Workspace, 'tip' | 'readFile' | 'blobId'>;
    readonly backlog: Pick<Backlog, 'parse'>;
  };
}

/** Reads the committed backlog at the tip and records what changed in it. */
export async function sync(ctx: SyncContext): Promise<StepResult> {
  const { workspace, backlog } = ctx.ports;
  const { backlogPath } = ctx.policy;
  const tip = await workspace.tip();
  const [text, blob] = await Promise.all([
    workspace.readFile(tip.commit, backlogPath),
    workspace.blobId(tip.commit, backlogPath),
  ]);
  if (text === null || blob === null) throw getMissingBacklogError(ctx, tip.ref);
  const parsed = backlog.parse(text);
  const { project } = ctx.policy;
  const source = { commit: tip.commit, blob, project, sessions: parsed.sessions };
  const change = getBacklogChange(ctx.state, parsed.tasks, source);
  const { tasks, people } = ctx.state;
  const isOpen = ({ def, passes }: (typeof parsed.tasks)[number]) =>
    !passes && tasks.get(def.id)?.status !== 'blocked';
  const question = getCycleQuestion(parsed.tasks.filter(isOpen).map(({ def }) => def));
  const isNew = question !== null && !people.questions.has(question.id);
  return { events: [change, ...(isNew ? [{ type: 'question.asked', ...question } as const] : [])] };
}

function getMissingBacklogError(ctx: SyncContext, ref: string): HarnessError {
  const { backlogPath } = ctx.policy;
  const branch = ref.replace('refs/heads/', '');
  return new HarnessError('backlog', `${backlogPath} is not committed on ${branch}`, {
    file: backlogPath,
    fix: `${getCommitLine([backlogPath], 'Add the backlog')}   (or create it first: harness init)`,
  });
}
