import type { TaskDef } from '../model/task.ts';
import { getTestFile } from '../model/testing.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';

/** The landed tasks that later work is held to, newest first; a task is not held to itself. */
export function getRegressionSet(state: State, except: string): readonly TaskDef[] {
  return [...state.tasks.values()]
    .filter(task => task.status === 'landed' && task.def.id !== except && hasOwnProof(task))
    .sort((a, b) => getLandedSession(b) - getLandedSession(a))
    .map(({ def }) => def);
}

/** What a person decided instead of tests, or the suite alone, has nothing that could be asked again. */
export function hasOwnProof({ def }: Pick<TaskState, 'def'>): boolean {
  return def.kind !== 'cleanup' && def.verificationType !== 'manual';
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
