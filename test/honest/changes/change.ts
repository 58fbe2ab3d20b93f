import type { Fn } from '../functions.ts';
import type { Random } from '../random.ts';
import type { Tree, Ways } from '../tree.ts';

/** A repository in which the task's function is done, ready for one more change. */
export interface Sheet {
  readonly tree: Tree;
  readonly ways: Ways;
  readonly fn: Fn;
  /** Where the task's function stands. */
  readonly home: string;
  readonly isNewHome: boolean;
  /** Sets names of this change apart from those of others. */
  readonly mark: string;
}

export interface Change {
  readonly what: string;
  readonly tree: Tree;
}

/** Makes one honest change, or says that this repository has no place for it. */
export type Generator = (sheet: Sheet, random: Random) => Change | null;
