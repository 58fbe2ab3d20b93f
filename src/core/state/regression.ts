import { getBasis, type TaskDef } from '../model/task.ts';
import { type Baseline, getTestFile } from '../model/testing.ts';
import type { State } from './state.ts';
import { isQuarantined } from './suite.ts';
import { getTotal } from './task-moves.ts';
import type { TaskState } from './task-state.ts';

/** A landed task whose tests no longer pass on the base. */
export interface Suspect {
  readonly task: TaskState;
  readonly tests: readonly string[];
}

/** A suite that only has an exit code does not say whose test is red: so many tasks are asked, newest first. */
const MAX_ASKED = 30;

/**
 * Landed tasks that own a test which has turned red since: by the file that proves them, or else by whoever
 * wrote it last. Tests that were red before, or that cannot be relied on, accuse nobody.
 */
export function getSuspects(state: State, { failing }: Baseline, suite: string | null): readonly Suspect[] {
  const red = failing.filter(id => !isQuarantined(state.suite.quarantine, id));
  if (red.length === 0) return [];
  const landed = [...state.tasks.values()].filter(task => isProven(task)).sort(byNewest);
  if (suite !== null && red.includes(suite))
    return landed
      .filter(task => wasGreen(state, suite, task))
      .map(task => ({ task, tests: [] }))
      .slice(0, MAX_ASKED);
  const found = new Map<TaskState, string[]>();
  for (const id of red) {
    const file = getTestFile(id);
    const owner =
      landed.find(({ def }) => def.testFile === file) ??
      landed.find(task => task.landed?.files?.includes(file));
    if (owner && wasGreen(state, id, owner)) found.set(owner, [...(found.get(owner) ?? []), id]);
  }
  return [...found].map(([task, tests]) => ({ task, tests }));
}

/** Landed tasks that were proven by something that can be asked again, newest first. */
export function getProvenTasks(state: State): readonly TaskState[] {
  return [...state.tasks.values()].filter(task => isProven(task) && hasOwnProof(task)).sort(byNewest);
}

/** Landed tasks that nothing has proven, as far as there is something that could be asked. */
export function getMarkedTasks(state: State): readonly TaskState[] {
  return [...state.tasks.values()].filter(task => isMarked(task) && hasOwnProof(task));
}

/** Whether a task counts as done by somebody's word alone: marked so in the backlog, or overridden. */
export function isMarked({ status, landed }: Pick<TaskState, 'status' | 'landed'>): boolean {
  if (landed?.commit == null) return status === 'landed';
  return status === 'landed' && landed.unproven !== undefined && !landed.unproven.satisfied;
}

/** Whether a person did it on the base, and its own tests proved that when it was taken back. */
export function isDoneByHand({ status, landed }: Pick<TaskState, 'status' | 'landed'>): boolean {
  return status === 'landed' && landed?.attempt === 0 && landed.commit !== null && !landed.unproven;
}

export function isAllLanded({ counts }: Pick<State, 'counts'>): boolean {
  return counts.landed > 0 && counts.landed === getTotal({ counts });
}

function isProven({ status, landed }: TaskState): boolean {
  if (status !== 'landed' || landed === null || landed.commit === null) return false;
  return landed.unproven === undefined || landed.unproven.satisfied === true;
}

function byNewest(a: TaskState, b: TaskState): number {
  return getLandedSession(b) - getLandedSession(a);
}

/** Seen green by the last look at the base, or proven since. */
function wasGreen({ suite }: State, id: string, task: TaskState): boolean {
  const { baseline } = suite;
  if (baseline === null || baseline.passing.includes(id)) return true;
  return getLandedSession(task) >= baseline.session;
}

/** Tasks that had landed and whose proof a later change broke. */
export function getReopened({ open }: State): readonly { readonly task: string; readonly reason: string }[] {
  return [...open.values()].flatMap(({ def, reopened }) =>
    reopened ? [{ task: def.id, reason: reopened.reason }] : [],
  );
}

/** The landed tasks that later work is held to, newest first; a task is not held to itself. */
export function getRegressionSet(state: State, except: string): readonly TaskDef[] {
  return [...state.tasks.values()]
    .filter(task => task.status === 'landed' && task.def.id !== except && hasOwnProof(task))
    .sort((a, b) => getLandedSession(b) - getLandedSession(a))
    .map(({ def }) => def);
}

/** What a person decided instead of tests, or the suite alone, has nothing that could be asked again. */
export function hasOwnProof({ def }: Pick<TaskState, 'def'>): boolean {
  return def.kind !== 'cleanup' && getBasis(def) === 'tests';
}

/** The session that brought it; 0 for what was there before. */
export function getLandedSession({ history }: Pick<TaskState, 'history'>): number {
  return history.findLast(({ outcome }) => outcome === 'landed')?.session ?? 0;
}

type Suite = { readonly passing: readonly string[]; readonly failing: readonly string[] };
const suiteFiles = new WeakMap<Suite, ReadonlySet<string>>();

/** Whether a run of the suite reported tests of this file: then the suite answers for it. */
export function isInSuite(testFile: string, suite: Suite): boolean {
  const files = suiteFiles.get(suite) ?? new Set([...suite.passing, ...suite.failing].map(getTestFile));
  suiteFiles.set(suite, files);
  return files.has(testFile);
}

/**
 * Whether a change can touch what a command says. `opened` are the files that it was seen to open on the base;
 * null where nobody watched. What is new or gone may be found by any command that looks around.
 */
export function canTouch(
  opened: ReadonlySet<string> | null,
  changes: readonly { readonly path: string; readonly kind: string }[],
): boolean {
  if (opened === null) return true;
  return changes.some(({ path, kind }) => kind !== 'modified' || opened.has(path));
}
