import { matchesAny } from '../../src/core/base/glob.ts';
import type { FileChange, Landing, LandResult, Tip, Workspace } from '../../src/ports/index.ts';

type Files = Readonly<Record<string, string>>;

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

/** A git small enough to think about: trees are their own JSON, commits are interned. */
export class SimGit {
  readonly #commits = new Map<string, Commit>();
  readonly #ids = new Map<string, string>();
  readonly slots = new Map<number, Record<string, string>>();
  readonly #pristine = new Map<string, string>();
  readonly #preparedFor = new Map<number, string>();
  base: string;
  /** Landings ignore where the branch stands, though somebody commits in that moment: the fault that loses other people's commits. */
  blindLanding = false;
  /** Every landing is made twice. */
  doubleLanding = false;
  /** A batch merges copies of its members. */
  copiesMembers = false;
  /** Nothing can be put onto anything else. */
  alwaysConflicts = false;
  /** Proofs by the commit they are of. */
  readonly notes = new Map<string, string>();
  /** What the person committed by hand; all of it has to be there in the end. */
  readonly byHand: string[] = [];

  constructor(files: Files) {
    this.base = this.commit(toTree(files), [], 'first');
  }

  commit(tree: string, parents: readonly string[], message: string): string {
    const key = JSON.stringify([tree, parents, message]);
    const known = this.#ids.get(key);
    if (known) return known;
    const id = `c${this.#ids.size + 1}`;
    this.#ids.set(key, id);
    this.#commits.set(id, { tree, parents, message });
    return id;
  }

  filesOf(treeish: string): Files {
    return JSON.parse(this.treeOf(treeish)) as Files;
  }

  treeOf(treeish: string): string {
    return this.#commits.get(treeish)?.tree ?? treeish;
  }

  filesIn(dir: string): Files {
    return JSON.parse(this.#pristine.get(dir) ?? '{}') as Files;
  }

  /** The branch as it moved: first parents only. */
  line(from: string): (Commit & { readonly id: string })[] {
    const commits: (Commit & { readonly id: string })[] = [];
    for (let id: string | undefined = from; id !== undefined; ) {
      const commit: Commit | undefined = this.#commits.get(id);
      if (!commit) break;
      commits.push({ ...commit, id });
      id = commit.parents[0];
    }
    return commits;
  }

  /** Everything that a commit stands on, along every parent. */
  history(from: string): (Commit & { readonly id: string })[] {
    const ids = new Set([from]);
    // A set goes on with what is added to it on the way.
    for (const id of ids) for (const parent of this.#commits.get(id)?.parents ?? []) ids.add(parent);
    return [...ids].flatMap(id => {
      const commit = this.#commits.get(id);
      return commit ? [{ ...commit, id }] : [];
    });
  }

  /** Somebody at the keyboard commits to the base branch. */
  userCommit(change: (files: Record<string, string>) => void): void {
    const files = { ...this.filesOf(this.base) };
    const before = new Set(Object.keys(files));
    change(files);
    this.byHand.push(...Object.keys(files).filter(path => !before.has(path)));
    this.base = this.commit(toTree(files), [this.base], 'by hand');
  }

  createWorkspace(): Workspace {
    return {
      recover: async () => [],
      tip: async (): Promise<Tip> => ({
        commit: this.base,
        tree: this.treeOf(this.base),
        ref: 'refs/heads/main',
      }),
      readFile: async (commit, path) => this.filesOf(commit)[path] ?? null,
      blobId: async (commit, path) => this.filesOf(commit)[path] ?? null,
      listFiles: async treeish => Object.keys(this.filesOf(treeish)),
      countLines: async treeish =>
        Object.fromEntries(
          Object.entries(this.filesOf(treeish)).map(([path, text]) => [path, text.split('\n').length]),
        ),
      readBlobs: async treeish => this.filesOf(treeish),
      changes: async (from, to) => getChanges(this.filesOf(from), this.filesOf(to)),
      findLandings: async (from, to) => this.#findLandings(from, to),
      prepare: async (slot, commit) => {
        this.slots.set(slot, { ...this.filesOf(commit) });
        this.#preparedFor.set(slot, commit);
        return { dir: `slot-${slot}` };
      },
      snapshot: async slot => ({
        tree: toTree(this.slots.get(slot) ?? {}),
        preparedFor: this.#preparedFor.get(slot) ?? '',
      }),
      compose: async ({ tree, take, put, drop }) => {
        const files = { ...this.filesOf(tree) };
        for (const { from, paths } of take ?? [])
          for (const path of paths) setFile(files, path, this.filesOf(from)[path]);
        for (const path of drop ?? []) delete files[path];
        for (const { path, text } of put ?? []) files[path] = text;
        return toTree(files);
      },
      idWithout: async (tree, paths) => {
        const files = Object.entries(this.filesOf(tree));
        return toTree(Object.fromEntries(files.filter(([path]) => !paths.includes(path))));
      },
      mentions: async () => false,
      findMentions: async (tree, words, except) =>
        Object.entries(this.filesOf(tree))
          .filter(([path, text]) => !matchesAny(path, except) && words.some(word => text.includes(word)))
          .map(([path]) => path),
      commit: async ({ tree, parent, merges = [], message }) =>
        this.commit(tree, [parent, ...merges.map(member => this.#getMember(member))], message),
      pristine: async (slot, tree) => {
        this.#pristine.set(`pristine-${slot}`, this.treeOf(tree));
        return { dir: `pristine-${slot}` };
      },
      rebase: async (commit, onto, leave) => this.#rebase(commit, onto, leave),
      land: async ({ commit, expected }): Promise<LandResult> => {
        if (this.blindLanding)
          this.userCommit(files => Object.assign(files, { [`notes-on-${commit}`]: 'by hand' }));
        else if (this.base !== expected) return { ok: false, why: 'tip-moved' };
        this.base = this.doubleLanding
          ? this.commit(this.treeOf(commit), [commit], this.#commits.get(commit)?.message ?? '')
          : commit;
        return { ok: true, commit, ref: 'refs/heads/main', note: null };
      },
      annotate: async (commit, text) => {
        this.notes.set(commit, text);
      },
      keep: async () => undefined,
      drop: async () => undefined,
      hashes: async (slot, paths) =>
        Object.fromEntries(paths.map(path => [path, this.slots.get(slot)?.[path] ?? null])),
    };
  }

  #getMember(id: string): string {
    const { tree, parents, message } = this.#commits.get(id) as Commit;
    return this.copiesMembers ? this.commit(tree, parents, `${message}\n`) : id;
  }

  #findLandings(from: string, to: string): Landing[] {
    const landings: Landing[] = [];
    const known = new Set(this.history(from).map(({ id }) => id));
    for (const { id, message } of this.history(to)) {
      if (known.has(id)) continue;
      const match = /Harness-Task: (\S+)\nHarness-Attempt: (\d+)/.exec(message);
      const [, proof = '', record = ''] = /Harness-Proof: (\w+)\nHarness-Record: (\w+)/.exec(message) ?? [];
      if (match)
        landings.push({ task: String(match[1]), attempt: Number(match[2]), commit: id, proof, record });
    }
    return landings;
  }

  #rebase(
    commit: string,
    onto: string,
    leave: readonly string[] = [],
  ): Awaited<ReturnType<Workspace['rebase']>> {
    const { parents, message } = this.#commits.get(commit) as Commit;
    const before = this.filesOf(parents[0] as string);
    const mine = this.filesOf(commit);
    const theirs = { ...this.filesOf(onto) };
    const conflicts: string[] = [];
    for (const path of new Set([...Object.keys(before), ...Object.keys(mine)])) {
      if (mine[path] === before[path] || leave.includes(path)) continue;
      if (theirs[path] !== before[path] && theirs[path] !== mine[path]) conflicts.push(path);
      else setFile(theirs, path, mine[path]);
    }
    if (this.alwaysConflicts) conflicts.push('anything');
    if (conflicts.length > 0) return { ok: false, conflicts };
    const tree = toTree(theirs);
    return { ok: true, commit: this.commit(tree, [onto], message), tree };
  }
}

function toTree(files: Files): string {
  return JSON.stringify(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function setFile(files: Record<string, string>, path: string, content: string | undefined): void {
  if (content === undefined) delete files[path];
  else files[path] = content;
}

function getChanges(from: Files, to: Files): FileChange[] {
  const changes: FileChange[] = [];
  for (const path of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (from[path] === to[path]) continue;
    const kind = from[path] === undefined ? 'added' : to[path] === undefined ? 'deleted' : 'modified';
    changes.push({ path, kind, mode: '100644' });
  }
  return changes;
}
