import { createReader } from '../../adapters/git/objects/objects.ts';
import { type GitContext, openContext } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getAcceptancePaths } from '../../core/gates/spec-paths.ts';
import type { Standing, TracedTask } from '../../core/gates/trace.ts';
import { compareIds } from '../../core/model/task.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import type { State } from '../../core/state/state.ts';
import { isSkipped, type TaskState } from '../../core/state/task-state.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';
import { readPlannedState } from '../project/planned-state.ts';
import { type AuditReport, auditProject } from '../prove/audit.ts';
import { readTreeId } from '../prove/own-at-tip.ts';

/** What a gate goes by: the tip, what the record says of tasks there, and which of their proofs hold. */
export interface TipFacts {
  readonly ctx: GitContext;
  readonly commit: string;
  readonly tree: string;
  readonly state: State;
  readonly tasks: readonly TracedTask[];
  /** A file of the tip. */
  readFile(path: string): Promise<string | null>;
}

export async function readTipFacts(project: Project): Promise<TipFacts> {
  const audit = await auditProject(project);
  const ctx = openContext(project.repo, runGit);
  const state = await readPlannedState(project, await readBacklogAtTip(project));
  const reader = createReader(ctx);
  const { tip: commit } = audit;
  const listed = [...state.tasks.values()].filter(
    ({ def, status }) => def.kind === undefined && status !== 'removed',
  );
  return {
    ...{ ctx, commit, state },
    tree: await readTreeId(ctx, commit),
    tasks: listed.map(task => getTraced(task, audit)).sort((a, b) => compareIds(a.id, b.id)),
    readFile: path => reader.readFile(commit, path),
  };
}

function getTraced(task: TaskState, audit: AuditReport): TracedTask {
  const { id, title, verificationSteps, tags } = task.def;
  const landing = audit.landings.findLast(one => one.task === id);
  const hasLanded = task.status === 'landed' || task.reopened !== null;
  return {
    ...{ id, title, verificationSteps, ...(tags ? { tags } : {}) },
    standing: getStanding(task, audit),
    commit: hasLanded ? (landing?.commit ?? null) : null,
    proof: hasLanded ? (landing?.proof ?? null) : null,
  };
}

/** A proof counts while the history, the record and everything that it rests on agree with it. */
function getStanding(task: TaskState, audit: AuditReport): Standing {
  const { id } = task.def;
  if (task.reopened !== null || audit.reopened.some(one => one.task === id)) return 'reopened';
  if (isSkipped(task)) return 'left-out';
  if (task.held?.awaitsPerson && task.status === 'blocked') return 'awaits-person';
  if (task.status !== 'landed') return 'open';
  const isChanged = audit.changed.some(({ byTask, tasks }) => byTask === null && tasks.includes(id));
  if (isChanged || audit.missing.includes(id) || audit.damage.length > 0) return 'broken';
  const landing = audit.landings.findLast(one => one.task === id);
  if (landing === undefined || landing.status === 'unproven' || landing.status === 'accepted')
    return 'by-word';
  return landing.status === 'sound' ? 'proven' : 'broken';
}

/** What was asked for, as it is committed at the tip. */
export interface Spec {
  readonly path: string;
  readonly text: string;
  readonly isAcceptance: boolean;
}

/** The acceptance file of a specification where there is one, or else the specification itself. */
export async function readSpec(tip: TipFacts, specPath: string): Promise<Spec | null> {
  for (const path of getAcceptancePaths(specPath)) {
    const text = await tip.readFile(path);
    if (text !== null) return { path, text, isAcceptance: true };
  }
  const text = await tip.readFile(specPath);
  return text === null ? null : { path: specPath, text, isAcceptance: false };
}

/** The path that was given or is configured. */
export function getSpecPath(
  project: Project,
  given: string | undefined,
  configured: string | null,
  field: string,
): string {
  const path = given ?? configured;
  if (path !== null) return path;
  const message = `nothing says what was asked for: ${field} is not set`;
  const fix = `set ${field} in ${project.configFile}, or name the file: --spec docs/spec.md`;
  throw new HarnessError('config', message, { file: project.configFile, field, fix });
}

/** Only what is committed counts, as for the backlog. */
export function getUncommittedError(project: Project, paths: readonly string[], field: string): HarnessError {
  const message = `${paths.join(' or ')} is not committed on ${project.policy.baseBranch}`;
  const [file = ''] = paths;
  const fix = `write it, then ${getCommitLine([file], 'Say what is asked for')}`;
  return new HarnessError('config', message, { file, field, fix });
}
