import { existsSync, rmSync } from 'node:fs';
import { HarnessError } from '../../core/base/failure.ts';
import { HARNESS_VERSION } from '../../core/base/version.ts';
import { getLandingsText } from '../../core/decide/foreign-landings.ts';
import type { StopReason } from '../../core/model/action.ts';
import type { OpenQuestion } from '../../core/model/question.ts';
import { findForeignLandings } from '../../loop/find-foreign-landings.ts';
import { type EndedAttempt, type RunOptions, type RunReport, runLoop } from '../../loop/loop.ts';
import type { Signals } from '../../loop/observe.ts';
import type { Ports, Store } from '../../ports/index.ts';
import { ALONE, SHARE } from '../doctor/remote.ts';
import { createGates } from '../gates/create-gates.ts';
import { recordDecision } from '../people/person.ts';
import { readBacklogAtTip, readBacklogHere, readCheckoutDamage } from '../project/backlog-at-tip.ts';
import { beforeAgents } from '../project/before-agents.ts';
import { getKnownTask, getNotReadyError } from '../project/check-task.ts';
import { readCheckoutNotes } from '../project/landed/local-branch.ts';
import { openPorts } from '../project/open-ports.ts';
import { type Project, withProject } from '../project/open-project.ts';
import { openJournal } from '../project/open-record.ts';
import { readPlannedState } from '../project/planned-state.ts';
import { saveFingerprint } from '../project/save-fingerprint.ts';
import { getSignalPath } from '../project/signal-files.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { auditProject } from '../prove/audit.ts';
import { withBacklogLimits } from './backlog-limits.ts';
import { whileNotFrozen } from './freeze.ts';
import { openLanes, type RunSeams } from './open-lanes.ts';
import { checkBacklog } from './recover.ts';
import { createGate, refuseTestFiles } from './refuse-unready.ts';

/** How far a run goes: one attempt, unless something says how far else. */
export interface RunInput extends Watch {
  /** This one and no other. */
  readonly task?: string;
  /** Goes on until nothing is ready. */
  readonly all?: boolean;
  readonly maxSessions?: number;
  readonly maxTasks?: number;
  /** So many agents at once; as the settings say when not given. */
  readonly workers?: number | 'auto';
  /** Begins nothing more after that time. */
  readonly forMs?: number;
  readonly untilMs?: number;
  /** Stays when everything is landed. */
  readonly maintain?: boolean;
  /** Where a person is there: puts questions to them, and says which they answered; the run goes on with it. */
  readonly ask?: (questions: readonly OpenQuestion[]) => Promise<readonly string[]>;
}

export interface RunResult {
  readonly stopped: StopReason;
  readonly attempts: readonly EndedAttempt[];
  /** Ids of what people are asked, as far as nobody has answered. */
  readonly questions: readonly string[];
  /** Tasks that people do by hand. */
  readonly handedOff: readonly string[];
  /** Tasks that had landed and are open again. */
  readonly reopened?: RunReport['reopened'];
  /** Red tests that a person said to live with; they are told of until they turn green. */
  readonly tolerated?: RunReport['tolerated'];
  /** What a quick look at all landings came to, where everything is done. */
  readonly audit?: AuditedAll;
  /** The one task that was asked for had landed before. */
  readonly hadLanded?: string;
  /** What is unusual about the repository, and what of the backlog no run sees. */
  readonly notes: readonly string[];
}

export interface AuditedAll {
  readonly ok: boolean;
  /** People changed tests since that proved something: theirs to do, and worth knowing. */
  readonly changed: boolean;
  /** Landed commits with a proof. */
  readonly landings: number;
  /** Tasks whose own tests passed before any work, which a person let stand for them. */
  readonly accepted: number;
  /** Tasks that count as done without either. */
  readonly unproven: number;
}

/** Works on tasks until they are landed, rejected or given up. */
export async function runTasks(
  given: Project,
  input: RunInput = {},
  seams: RunSeams = {},
): Promise<RunResult> {
  const project = await withBacklogLimits(given);
  const git = seams.runGit ? { runGit: seams.runGit } : {};
  const { reporter } = getWatch(input);
  await beforeAgents(project, reporter);
  await noteDamage(project, note => reporter.note?.(note));
  const opened = await openPorts(project, { reporter, ...git });
  await noteUnseen(project, opened, note => reporter.note?.(note));
  const { task } = input;
  if (task !== undefined && (await hasLanded(project, task))) return { ...NOTHING_TO_DO, hadLanded: task };
  const limits = getLimits(input, await opened.store.nowMs());
  if (limits.maxSessions !== 1 && task === undefined) await refuseTestFiles(project, opened.workspace);
  const { maxSessions } = limits;
  const lanes = await openLanes(project, {
    ...{ workers: input.workers, task, maxSessions, reporter, shared: opened },
    ...seams,
  });
  const report = await runAttended(input.ask, () =>
    runPipeline(project, opened, { ...input, ...limits, ...seams, lanes }),
  ).catch(async (error: unknown) => {
    // Whatever else stands in the way: without a backlog nothing goes on.
    if (error instanceof HarnessError) await checkBacklog(project);
    throw error;
  });
  await saveFingerprint(project, opened);
  const audit = report.why === 'all-done' ? { audit: await checkProofs(project) } : {};
  const backlog = await readBacklogAtTip(project, opened.workspace);
  const open = await readCheckoutNotes(project, backlog, readBacklogHere(project));
  const notes = [...project.repo.notes, ...open];
  return { ...getRunEnd(report), notes, ...audit };
}

/** What is committed is for the run itself to refuse, and need not be read twice. */
async function noteDamage(project: Project, add: (note: string) => void): Promise<void> {
  const committed = await readBacklogAtTip(project).catch(() => null);
  if (readBacklogHere(project) === committed?.text) return;
  const damage = readCheckoutDamage(project);
  if (damage !== null) add(damage);
}

/** What the other hosts have not got, or this one, said before it costs anything; in one clone alone the end says it. */
async function noteUnseen(project: Project, ports: Ports, add: (note: string) => void): Promise<void> {
  if (project.repo.remote === null) return;
  if (project.config.store.url === null) add(`${ALONE}: ${SHARE}`);
  const backlog = await readBacklogAtTip(project);
  for (const note of await readCheckoutNotes(project, backlog, readBacklogHere(project))) add(note);
  const { state } = await openJournal(project);
  if (state.backlog === null || backlog.tip === null) return;
  const range = { from: state.backlog.commit, to: backlog.tip.commit };
  const found = await findForeignLandings(ports, state, range);
  if (found.length > 0) add(`${getLandingsText(found)} landed, and not by these records: taken as done`);
}

/** One task of a repository, from opening the project to closing it. */
export async function runTask(
  input: Watch & { readonly taskRef: string; readonly repoRoot: string },
): Promise<RunResult> {
  const { taskRef: task, repoRoot: cwd, ...watch } = input;
  return withProject({ cwd, env: process.env }, project => runTasks(project, { ...watch, task }));
}

/** The loop with all that ends it from outside: signals, files, and what `doctor` would refuse. */
export async function runPipeline(
  project: Project,
  ports: Ports,
  input: Watch &
    Pick<RunOptions, 'maxSessions' | 'maxTasks' | 'untilMs' | 'lanes'> &
    Pick<RunInput, 'task' | 'maintain'> &
    Pick<RunSeams, 'wrapPorts'>,
): Promise<RunReport> {
  const { maxSessions, maxTasks, untilMs, lanes, wrapPorts } = input;
  const { reporter } = getWatch(input);
  const all = { ...ports, gates: createGates(project, reporter) };
  const report = await whileNotFrozen(project.stateDir, getWatch(input).signal, signal =>
    runLoop(wrapPorts ? wrapPorts(all) : all, project.policy, {
      ...{ maxSessions, maxTasks, untilMs, lanes, version: HARNESS_VERSION },
      onlyTask: input.task ?? null,
      maintains: input.maintain,
      signal,
      readSignals: createSignals(project.stateDir),
      refuse: createGate(project, ports.workspace),
    }),
  );
  if (report.why === 'asked') await settleStopFile(project.stateDir, ports.store);
  return report;
}

/** What a run came to, as far as anybody else can use it. */
export function getRunEnd(report: RunReport): Omit<RunResult, 'notes'> {
  const { why: stopped, ended: attempts, handedOff, reopened, tolerated } = report;
  const questions = report.questions.map(({ id }) => id);
  const open = reopened.length > 0 ? { reopened } : {};
  return { stopped, attempts, questions, handedOff, ...open, ...(tolerated.length > 0 ? { tolerated } : {}) };
}

const NOTHING_TO_DO: RunResult = {
  stopped: 'all-done',
  attempts: [],
  questions: [],
  handedOff: [],
  notes: [],
};

/** Ends that a person wanted: whatever they answer then is for the next run. */
const WANTED: ReadonlySet<StopReason> = new Set(['session-limit', 'task-limit', 'time', 'asked', 'paused']);

/** Where somebody is there, a run that only waits for them asks, and goes on with the answer. */
async function runAttended(ask: RunInput['ask'], run: () => Promise<RunReport>): Promise<RunReport> {
  const later = new Set<string>();
  for (let report = await run(); ; ) {
    const questions = report.questions.filter(({ id }) => !later.has(id));
    if (ask === undefined || questions.length === 0) return report;
    const answered = await ask(questions);
    for (const { id } of questions) if (!answered.includes(id)) later.add(id);
    if (answered.length === 0) return report;
    if (WANTED.has(report.why))
      return { ...report, questions: report.questions.filter(({ id }) => !answered.includes(id)) };
    const before = report.ended;
    const next = await run();
    report = { ...next, ended: [...before, ...next.ended] };
  }
}

/** The quick look at every landing that goes with saying that everything is done. */
async function checkProofs(project: Project): Promise<AuditedAll> {
  const { ok, sound, landings, unproven } = await auditProject(project);
  const proven = landings.filter(({ status }) => status === 'sound');
  const accepted = landings.filter(({ status }) => status === 'accepted');
  const marked = new Set([...landings, ...unproven.map(task => ({ task }))].map(({ task }) => task));
  for (const { task } of [...proven, ...accepted]) marked.delete(task);
  const counts = { landings: proven.length, accepted: accepted.length, unproven: marked.size };
  return { ok: sound, changed: sound && !ok, ...counts };
}

function getLimits({ all, maxSessions, maxTasks, maintain, ...input }: RunInput, nowMs: number) {
  const untilMs = input.forMs === undefined ? input.untilMs : nowMs + input.forMs;
  const isOpenEnded = all || maintain || maxTasks !== undefined || untilMs !== undefined;
  return { maxSessions: maxSessions ?? (isOpenEnded ? null : 1), maxTasks, untilMs };
}

/** Refuses a task that cannot run, by name and reason; one that has landed already is as good as asked for. */
async function hasLanded(project: Project, id: string): Promise<boolean> {
  const backlog = await readBacklogAtTip(project);
  if (backlog.tip === null) return false;
  const state = await readPlannedState(project, backlog);
  const task = getKnownTask(state, id, '--task');
  const problem = getNotReadyError(state, task);
  if (problem) throw problem;
  return task.status === 'landed';
}

/** What the files in `signals/` say: for those who would rather touch a file than run a command. */
function createSignals(stateDir: string): () => Signals {
  const isPaused = () => existsSync(getSignalPath(stateDir, 'pause'));
  let pausedBefore = isPaused();
  return () => {
    const pause = isPaused();
    pausedBefore &&= pause;
    return { stop: existsSync(getSignalPath(stateDir, 'stop')), pause, pausedBefore };
  };
}

/** A stop is said once: told to every other worker in the record, then taken away. */
async function settleStopFile(stateDir: string, store: Store): Promise<void> {
  const path = getSignalPath(stateDir, 'stop');
  if (!existsSync(path)) return;
  await recordDecision(store, () => [
    { type: 'control.changed', mode: 'stopped', by: 'a file', reason: 'signals/stop' },
  ]);
  rmSync(path, { force: true });
}
