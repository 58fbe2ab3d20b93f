import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getCommandFiles } from '../../config/protected-globs.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { matchesFolded } from '../../core/base/tree-path.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { createObjective, getLoopId, isPromiseOnly } from '../../core/state/objective.ts';
import type { State } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { overrideTask } from '../people/decisions.ts';
import { recordDecision } from '../people/person.ts';
import { beforeAgents } from '../project/before-agents.ts';
import { openPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { saveFingerprint } from '../project/save-fingerprint.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { getRunEnd, type RunResult, runPipeline } from './run-tasks.ts';

export interface ObjectiveInput extends Watch {
  /** What is to be reached; not needed to go on with an earlier run. */
  readonly objective?: string;
  /** Succeeds once it is reached; run by the harness on a clean tree. */
  readonly check?: string;
  readonly completionPromise?: string;
  readonly maxIterations?: number;
  /** Named, the agent's promise counts without any check; it lands unproven. */
  readonly promiseOnly?: boolean;
  /** The id of an earlier run, to go on with; the newest that is not reached where it is empty. */
  readonly resume?: string;
  /** The id of a new run. */
  readonly runId?: string;
  /** Told before the first iteration. */
  readonly onStart?: (run: string, openScripts: readonly string[]) => void;
}

export interface ObjectiveResult extends Omit<RunResult, 'hadLanded' | 'notes'> {
  readonly run: string;
  readonly landed: boolean;
  /** It landed by the agent's promise alone. */
  readonly unproven: boolean;
  readonly commit: string | null;
  readonly iterations: number;
  readonly maxIterations: number;
  /** Why the last iteration did not reach it. */
  readonly reason: string | null;
  readonly next: string;
}

const DEFAULT_PROMISE = 'TASK_COMPLETE';
const DEFAULT_ITERATIONS = 10;

/** One objective, session after session, until it is promised and proven or the end is reached. */
export async function runObjective(project: Project, input: ObjectiveInput): Promise<ObjectiveResult> {
  const { reporter } = getWatch(input);
  await beforeAgents(project, reporter);
  const ports = await openPorts(project, { reporter });
  const id = await enter(project, input);
  input.onStart?.(id, getOpenScripts(project, input.check ?? ''));
  const { signal } = input;
  const scope = { task: id, maxSessions: null, maintain: false, ...(signal ? { signal } : {}) };
  let report = await runPipeline(project, ports, scope);
  if (await takePromise(project, id)) {
    const before = report.ended;
    const next = await runPipeline(project, ports, scope);
    report = { ...next, ended: [...before, ...next.ended] };
  }
  await saveFingerprint(project, ports);
  const { state } = await recordDecision(await project.store(), () => []);
  const { def, landed, attempts, history, status, people } = state.tasks.get(id) as TaskState;
  const isLanded = status === 'landed';
  const more = status === 'failed' ? ` --max-iterations ${def.maxAttempts + DEFAULT_ITERATIONS}` : '';
  const isAsked = people.question !== null && status !== 'failed';
  const goOn = isAsked ? 'harness inbox' : `harness loop --resume ${id}${more}`;
  return {
    ...{ run: id, landed: isLanded, commit: landed?.commit ?? null },
    unproven: landed?.unproven !== undefined,
    // What lands by its promise alone was counted when it was held.
    iterations: attempts + Number(isLanded && landed?.unproven === undefined),
    maxIterations: def.maxAttempts,
    ...getRunEnd(report),
    reason: history.at(-1)?.reason ?? null,
    next: isLanded ? getNext(id, landed?.unproven !== undefined) : goOn,
  };
}

function getNext(id: string, isUnproven: boolean): string {
  return isUnproven
    ? 'git show   (nobody has proven it: look at it yourself)'
    : `harness proof ${getShellQuoted(id)}`;
}

/** Where the promise alone was to count and nothing else said no, it is the word that the work lands by. */
async function takePromise(project: Project, id: string): Promise<boolean> {
  const { state } = await recordDecision(await project.store(), () => []);
  const task = state.tasks.get(id);
  if (!task || !isPromiseOnly(task.def) || task.status !== 'blocked' || !task.held?.awaitsPerson)
    return false;
  const reason = `only the promise "${task.def.promise}" says that it is reached (--promise-only)`;
  await overrideTask(project, { task: id, reason, withWork: true });
  return true;
}

/** Files that the check runs and that nothing protects: the product, as a rule, but it may be the judge. */
function getOpenScripts({ policy, root }: Project, check: string): readonly string[] {
  return getCommandFiles(check).filter(
    path => !matchesFolded(path, policy.protectedGlobs) && existsSync(join(root, path)),
  );
}

/** The objective becomes a task of the record, or is found there; said in other words, it takes the new ones. */
async function enter(project: Project, input: ObjectiveInput): Promise<string> {
  let id = '';
  await recordDecision(await project.store(), state => {
    const def = input.resume === undefined ? getNew(state, project, input) : getResumed(state, input);
    id = def.id;
    const known = state.tasks.get(id)?.def;
    return JSON.stringify(known) === JSON.stringify(def) ? [] : [{ type: 'task.added', def }];
  });
  return id;
}

function getNew(state: State, { policy }: Project, input: ObjectiveInput): TaskDef {
  const { objective, check, promiseOnly = false, completionPromise, maxIterations, runId } = input;
  const example = 'harness loop "All examples in docs/ run" --check "npm run docs:test"';
  if (!objective?.trim())
    throw new HarnessError('usage', 'missing <objective>', { field: '<objective>', fix: example });
  if (!check?.trim() && !promiseOnly) {
    const message = '--check is required: a promise alone proves nothing';
    const fix = `${example}; where the promise is to count all the same, --promise-only says so, and it lands unproven`;
    throw new HarnessError('usage', message, { field: '--check', fix });
  }
  if (check?.trim() && promiseOnly) {
    const fix = 'leave one of them out: a check decides, or nothing but the promise does';
    throw new HarnessError('usage', '--promise-only has no check', { field: '--promise-only', fix });
  }
  return createObjective(getNewId(state, runId), {
    text: objective.trim(),
    check: check?.trim() || null,
    promise: completionPromise?.trim() || DEFAULT_PROMISE,
    maxIterations: maxIterations ?? DEFAULT_ITERATIONS,
    timeoutSeconds: Math.ceil(policy.testTimeoutMs / 1_000),
  });
}

function getNewId(state: State, runId: string | undefined): string {
  if (runId === undefined) return getLoopId(state);
  const isTaken = state.tasks.has(runId);
  if (!isTaken && /^[\w.-]+$/.test(runId)) return runId;
  const fix = isTaken
    ? `go on with it: harness loop --resume ${getShellQuoted(runId)}`
    : 'letters, digits, ".", "_" and "-"';
  const message = isTaken ? `there is a run ${runId} already` : `${runId} cannot be the id of a run`;
  throw new HarnessError('usage', message, { field: '--run-id', fix });
}

/** As it was begun, with what is said anew. */
function getResumed({ tasks }: State, input: ObjectiveInput): TaskDef {
  const { objective, check, completionPromise, maxIterations } = input;
  const newest = [...tasks.values()].findLast(
    ({ def, status }) => def.kind === 'loop' && status !== 'landed',
  );
  const resume = input.resume || newest?.def.id || '';
  const task = tasks.get(resume);
  if (task?.def.kind !== 'loop') {
    const known = [...tasks.values()].filter(({ def }) => def.kind === 'loop').map(({ def }) => def.id);
    const fix =
      known.length > 0 ? `there are ${known.join(', ')}` : 'begin one: harness loop "…" --check "…"';
    throw new HarnessError('usage', `there is no run ${resume}`, { field: '--resume', fix });
  }
  const { def } = task;
  const changed = createObjective(resume, {
    text: objective?.trim() || def.title,
    check: check?.trim() || (def.validation?.command ?? null),
    promise: completionPromise?.trim() || (def.promise ?? DEFAULT_PROMISE),
    maxIterations: maxIterations ?? def.maxAttempts,
    timeoutSeconds: def.validation?.timeoutSeconds ?? 0,
  });
  if (task.status === 'failed' && task.attempts >= changed.maxAttempts) {
    const fix = `harness loop --resume ${resume} --max-iterations ${task.attempts + DEFAULT_ITERATIONS}`;
    throw new HarnessError('usage', `all ${task.attempts} iterations of ${resume} are used up`, {
      field: '--max-iterations',
      fix,
    });
  }
  return changed;
}
