export interface Tip {
  readonly commit: string;
  readonly tree: string;
  /** The ref that the next landing will move. */
  readonly ref: string;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** Git's mode of the new side: 100644, 100755, 120000 (symlink), 160000 (nested repository). */
  readonly mode: string;
  /** The mode it had before, where that was another. */
  readonly wasMode?: string;
}

export interface Landing {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
  /** Hashes of the two parts of its proof, where its trailers name them. */
  readonly proof?: string;
  readonly record?: string;
  /** Whose word it landed by, where it was not proven. */
  readonly unproven?: string;
  /** Who accepted that its own tests stand for it: they passed before any work. */
  readonly accepted?: string;
}

export type LandResult =
  | { readonly ok: true; readonly commit: string; readonly ref: string; readonly note: string | null }
  | { readonly ok: false; readonly why: 'tip-moved' };

/** Something of a tree that could not be laid out as a checkout would have it. */
export interface Gap {
  readonly path: string;
  readonly why: string;
  /** What a person does about it. */
  readonly fix: string;
}

/** Files of the user's checkout that git does not have. */
export interface Loan {
  readonly paths: readonly string[];
  /** Changes when they do. */
  readonly stamp: string;
  /** Copies them; the answer takes them out again and tells which were opened in the meantime. */
  lay(): () => readonly string[];
}

/** A directory laid out for work. */
export interface Worktree {
  readonly dir: string;
  /** Changes when the directory was made anew, and with it all that was installed there is gone. */
  readonly createdAt?: string;
}

/** A commit that is kept under a name, on this host or another. */
export interface KeptCommit {
  readonly name: string;
  readonly commit: string;
}

/**
 * Git as the harness needs it. Nothing here ever touches the user's working tree except `land`,
 * and that only when their checkout is clean and on the branch being moved.
 */
export interface Workspace {
  /**
   * Puts right what killed runs left half done in git; returns what a person should know, one line each. Only whoever
   * is `alone` on the project may clear what no process can be named for; what a living one is at is never touched.
   */
  recover(alone: boolean): Promise<readonly string[]>;
  /** Where the next task starts and the next landing goes. */
  tip(): Promise<Tip>;
  /** A file's text, of a tree as well; null where it is not there. */
  readFile(commit: string, path: string): Promise<string | null>;
  /** The file as it was before the last commit that changed it; null where it was not there, or nobody knows. */
  readEarlier?(commit: string, path: string): Promise<string | null>;
  /** Git's id of one file's content, so that a change of the backlog is seen without reading it. */
  blobId(commit: string, path: string): Promise<string | null>;
  /** Whether a file of a commit or tree can be run as a program. */
  isProgram?(treeish: string, path: string): Promise<boolean>;
  /** Every file of a commit or tree. */
  listFiles(treeish: string): Promise<readonly string[]>;
  /** The same with git's id of each content. */
  readBlobs(treeish: string): Promise<Readonly<Record<string, string>>>;
  /** How many lines each text file of a commit or tree has; empty files are left out. */
  countLines(treeish: string): Promise<Readonly<Record<string, number>>>;
  changes(from: string, to: string): Promise<readonly FileChange[]>;
  /** Commits in `from..to` that carry the harness's trailers. */
  findLandings(from: string, to: string): Promise<readonly Landing[]>;
  /** The agent's worktree of that slot, holding exactly `commit` (plus ignored files of its own). */
  prepare(slot: number, commit: string): Promise<Worktree>;
  /**
   * What is on disk in that slot, as a tree, whatever the agent did to git there; and the commit that the
   * slot was last prepared for, by whomever. Throws SlotLost when the slot is not there any more.
   */
  snapshot(slot: number): Promise<{ readonly tree: string; readonly preparedFor?: string }>;
  /** A tree made of another, with files taken from a commit, texts put in place and files left out. */
  compose(request: {
    readonly tree: string;
    readonly drop?: readonly string[];
    readonly take?: readonly { readonly from: string; readonly paths: readonly string[] }[];
    readonly put?: readonly {
      readonly path: string;
      readonly text: string;
      /** A program; one that is there already stays one. */
      readonly executable?: boolean;
    }[];
  }): Promise<string>;
  /** The name that a tree would have without these files; the tree itself need not be there. */
  idWithout?(tree: string, paths: readonly string[]): Promise<string>;
  /** Whether any file of a tree but the excepted ones has one of these words in it. */
  mentions?(tree: string, words: readonly string[], except: readonly string[]): Promise<boolean>;
  /** The files of a tree but the excepted ones that have one of these words in them. */
  findMentions?(
    tree: string,
    words: readonly string[],
    except: readonly string[],
  ): Promise<readonly string[]>;
  /** One commit on `parent`; the same request gives the same commit. */
  commit(request: {
    readonly tree: string;
    readonly parent: string;
    /** Further parents, of a merge. */
    readonly merges?: readonly string[];
    readonly message: string;
    readonly atMs: number;
  }): Promise<string>;
  /** A pristine directory holding exactly `tree`, which no agent has ever touched. */
  pristine(slot: number, tree: string, options?: { readonly wipe: boolean }): Promise<Worktree>;
  /**
   * What that directory lacks by now: files behind filters, submodules, names that the disk takes for one another,
   * and those of `local` that the user's checkout still has.
   */
  findGaps?(slot: number, local?: readonly string[]): Promise<readonly Gap[]>;
  /** What only the user's checkout has and that directory lacks, to be lent to it for a run. */
  lendLocal?(slot: number): Promise<Loan>;
  /** Files of that tree which are not as they were laid out any more: something has written there. */
  findWritten?(slot: number): Promise<readonly string[]>;
  /**
   * Begins to watch which files of that tree are opened; the answer tells which were since then, or null where
   * that cannot be seen.
   */
  watch?(slot: number): Promise<() => Promise<readonly string[] | null>>;
  /** Lays what was installed in one pristine directory into another; false where it works only in its own. */
  copyInstalled?(from: number, to: number): Promise<boolean>;
  /** Remembers what installing dependencies left in a pristine directory. */
  seal?(slot: number): Promise<void>;
  /** Whether that is still as it was: code under test can write there. */
  isSealed?(slot: number): Promise<boolean>;
  /** Puts `commit` (one commit on its parent) onto `onto`; what it did to the files of `leave` is left out. */
  rebase(
    commit: string,
    onto: string,
    leave?: readonly string[],
  ): Promise<{ ok: true; commit: string; tree: string } | { ok: false; conflicts: readonly string[] }>;
  /** Moves the tip's ref from `expected` to `commit`, or says that it moved. */
  land(request: { readonly commit: string; readonly expected: string }): Promise<LandResult>;
  /** Attaches a text to a commit, where it travels with the repository; the same twice is once. */
  annotate(commit: string, text: string): Promise<void>;
  /** Keeps a commit from being collected, under refs/harness/. */
  keep(name: string, commit: string): Promise<void>;
  /**
   * Fetches what other hosts have kept, all of it where nothing is named, and says which commits nobody has pushed, or
   * nobody keeps any more; absent where there are no others.
   */
  fetch?(kept?: readonly KeptCommit[]): Promise<readonly string[]>;
  drop(names: readonly string[]): Promise<void>;
  /** Content hashes on disk in that slot; null for a file that is not there. */
  hashes(slot: number, paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
}
