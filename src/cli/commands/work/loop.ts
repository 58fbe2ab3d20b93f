import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordWord } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openPorts } from '../../../app/project/open-ports.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { rememberHot } from '../../../app/project/remember-hot.ts';
import { createGate } from '../../../app/run/refuse-unready.ts';
import { readSignals, settleStopFile } from '../../../app/run/signal-files.ts';
import { getCommandFiles } from '../../../config/command-files.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import { matchesFolded } from '../../../core/base/fold-path.ts';
import { HARNESS_VERSION } from '../../../core/base/version.ts';
import type { TaskDef } from '../../../core/model/task.ts';
import { createObjective, getLoopId } from '../../../core/state/objective.ts';
import type { State } from '../../../core/state/state.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import { type RunReport, runLoop } from '../../../loop/loop.ts';
import type { Store } from '../../../ports/index.ts';
import { createReporter } from '../../render/reporter.ts';
import { getRunExitCode, getStopText } from '../../render/run-end.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { listenForSignals } from '../../terminal/signals.ts';

export interface LoopOptions extends CommonOptions {
  readonly check?: string;
  readonly completionPromise?: string;
  readonly maxIterations?: number;
  readonly resume?: string;
}

const DEFAULT_PROMISE = 'TASK_COMPLETE';
const DEFAULT_ITERATIONS = 10;

/** `harness loop`: one objective, session after session, until it is promised and proven or the end is reached. */
export async function loop(io: Io, objective: string | undefined, options: LoopOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const reporter = createReporter(io, options.json ?? false);
  const opened = await openPorts(project, { reporter, quickCheck: true });
  const stop = listenForSignals(() => reporter.running(), 'harness loop --resume goes on where it stopped');
  try {
    const id = await enter(opened.store, project, objective, options);
    if (!options.json) io.err(`run ${id}   (go on with it later: harness loop --resume ${id})`);
    for (const script of getOpenScripts(project, options.check ?? ''))
      io.err(`note: the agent may change ${script}; if it judges the work, add it to verification.protected`);
    const report = await runLoop(opened, project.policy, {
      maxSessions: null,
      onlyTask: id,
      maintains: false,
      signal: stop.signal,
      version: HARNESS_VERSION,
      readTold: () => readSignals(project.stateDir),
      refuse: createGate(project, opened.workspace),
    });
    if (report.why === 'asked') await settleStopFile(project.stateDir, opened.store);
    reporter.close();
    await rememberHot(project, opened);
    const { state } = await recordWord(opened.store, () => []);
    tell(io, state.tasks.get(id) as TaskState, report, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
    await opened.store.close();
  }
}

/** Files that the check runs and that nothing protects: the product, as a rule, but it may be the judge. */
function getOpenScripts({ policy, root }: Project, check: string): readonly string[] {
  return getCommandFiles(check).filter(
    path => !matchesFolded(path, policy.protectedGlobs) && existsSync(join(root, path)),
  );
}

/** The objective becomes a task of the record, or is found there; said in other words, it takes the new ones. */
async function enter(
  store: Store,
  project: Project,
  objective: string | undefined,
  options: LoopOptions,
): Promise<string> {
  let id = '';
  await recordWord(store, state => {
    const def =
      options.resume === undefined
        ? getNew(state, project, objective, options)
        : getResumed(state, objective, { ...options, resume: options.resume });
    id = def.id;
    const known = state.tasks.get(id)?.def;
    return JSON.stringify(known) === JSON.stringify(def) ? [] : [{ type: 'task.added', def }];
  });
  return id;
}

function getNew(
  state: State,
  { policy }: Project,
  objective: string | undefined,
  { check, completionPromise, maxIterations }: LoopOptions,
): TaskDef {
  const example = 'harness loop "All examples in docs/ run" --check "npm run docs:test"';
  if (!objective?.trim())
    throw new HarnessError('usage', 'what is to be reached?', { field: '<objective>', fix: example });
  if (!check?.trim()) {
    const message = 'how can the harness see that it is reached? A promise alone proves nothing';
    throw new HarnessError('usage', message, { field: '--check', fix: example });
  }
  return createObjective(getLoopId(state), {
    text: objective.trim(),
    check: check.trim(),
    promise: completionPromise?.trim() || DEFAULT_PROMISE,
    maxIterations: maxIterations ?? DEFAULT_ITERATIONS,
    timeoutSeconds: Math.ceil(policy.testTimeoutMs / 1_000),
  });
}

/** As it was begun, with what is said anew. */
function getResumed(
  { tasks }: State,
  objective: string | undefined,
  options: LoopOptions & { readonly resume: string },
): TaskDef {
  const { resume, check, completionPromise, maxIterations } = options;
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
    check: check?.trim() || (def.validation?.command ?? ''),
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

function tell(io: Io, task: TaskState, report: RunReport, json: boolean): void {
  const { def, landed, attempts, history, status } = task;
  const isLanded = status === 'landed';
  const iterations = attempts + Number(isLanded);
  io.exit(isLanded ? 0 : getRunExitCode(report) || EXIT_CODES.unproven);
  if (json) {
    const run = { run: def.id, landed: isLanded, commit: landed?.commit ?? null };
    const { why: stopped, ended: all } = report;
    io.out(JSON.stringify({ ...run, iterations, maxIterations: def.maxAttempts, stopped, attempts: all }));
    return;
  }
  if (isLanded) {
    const count = iterations === 1 ? 'one iteration' : `${iterations} iterations`;
    io.out(`${def.id}: reached in ${count}, landed as ${landed?.commit?.slice(0, 10)}`);
    io.out(`next: harness proof ${def.id}`);
    return;
  }
  const last = history.at(-1)?.reason.split('\n', 1)[0] ?? getStopText(report);
  io.out(`${def.id}: not reached in ${iterations} of ${def.maxAttempts} iterations: ${last}`);
  const isOver = status === 'failed';
  const more = isOver ? ` --max-iterations ${def.maxAttempts + DEFAULT_ITERATIONS}` : '';
  const isAsked = task.question !== null && !isOver;
  io.out(isAsked ? 'next: harness inbox' : `next: harness loop --resume ${def.id}${more}`);
}
