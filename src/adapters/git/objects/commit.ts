import { ObjectGone } from '../../../core/base/failure.ts';
import type { Workspace } from '../../../ports/index.ts';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import { compose } from './compose.ts';
import { getCommitFacts, readObjects } from './objects.ts';
import type { NewObject } from './write-objects.ts';
import { getObjectId, writeObjects } from './write-objects.ts';

interface CommitRequest extends Omit<Parameters<Workspace['commit']>[0], 'parent'> {
  /** Null for the first commit of a repository. */
  readonly parent: string | null;
}

/** One commit on a parent. Its bytes depend on the request and the user's identity alone. */
export async function commit(ctx: GitContext, request: CommitRequest): Promise<string> {
  const date = `${Math.floor(request.atMs / 1000)} +0000`;
  const lines = [
    `tree ${request.tree}`,
    ...(request.parent === null ? [] : [`parent ${request.parent}`]),
    ...(request.merges ?? []).map(parent => `parent ${parent}`),
    `author ${getPerson(ctx.repo.identity ?? HARNESS)} ${date}`,
    `committer ${getPerson(HARNESS)} ${date}`,
  ];
  const message = request.message.replaceAll('\0', '').trimEnd();
  const object: NewObject = { type: 'commit', body: Buffer.from(`${lines.join('\n')}\n\n${message}\n`) };
  await writeObjects(ctx, [object]);
  return getObjectId(ctx.repo.objectFormat, object);
}

const HARNESS = { name: 'Harness', email: 'harness@localhost' };

/** Git leaves out the same characters at the ends of a name. */
function getPerson({ name, email }: { readonly name: string; readonly email: string }): string {
  const [cleanName, cleanEmail] = [name, email].map(text =>
    text.replace(/^[\s.,:;<>"\\']+|[\s.,:;<>"\\']+$/g, ''),
  );
  return `${cleanName || HARNESS.name} <${cleanEmail || HARNESS.email}>`;
}

/** Puts one commit onto another, with its own parent as the base of the merge, whatever the history between them. */
export async function rebase(
  ctx: GitContext,
  id: string,
  onto: string,
  leave: readonly string[] = [],
): ReturnType<Workspace['rebase']> {
  const [own, parent, target] = await readObjects(ctx, [`${id}^{commit}`, `${id}^1`, `${onto}^{commit}`]);
  if (!own || !target)
    throw new ObjectGone(
      `cannot put ${id} onto ${onto}: one of them is not in this repository`,
      ctx.repo.commonDir,
    );
  const facts = getCommitFacts(own);
  if (target.id === parent?.id) return { ok: true, commit: own.id, tree: facts.tree };
  const base = parent ? getCommitFacts(parent).tree : null;
  const theirs =
    base === null || leave.length === 0
      ? facts.tree
      : await compose(ctx, { tree: facts.tree, take: [{ from: base, paths: leave }] });
  const merged = await mergeTrees(ctx, { base, ours: getCommitFacts(target).tree, theirs });
  if (!merged.ok) return merged;
  const body = Buffer.from(`tree ${merged.tree}\nparent ${target.id}\n${facts.rest}`, 'latin1');
  const object: NewObject = { type: 'commit', body };
  await writeObjects(ctx, [object]);
  return { ok: true, commit: getObjectId(ctx.repo.objectFormat, object), tree: merged.tree };
}

/**
 * A three-way merge of trees. Git before 2.40 takes no merge base, so the three trees become commits
 * of a history of their own in which the base is the only common ancestor.
 */
async function mergeTrees(
  ctx: GitContext,
  trees: { readonly base: string | null; readonly ours: string; readonly theirs: string },
): Promise<{ ok: true; tree: string } | { ok: false; conflicts: string[] }> {
  const format = ctx.repo.objectFormat;
  const emptyTree: NewObject = { type: 'tree', body: Buffer.alloc(0) };
  const base = getBareCommit(trees.base ?? getObjectId(format, emptyTree), []);
  const baseId = getObjectId(format, base);
  const [ours, theirs] = [getBareCommit(trees.ours, [baseId]), getBareCommit(trees.theirs, [baseId])];
  await writeObjects(ctx, [...(trees.base === null ? [emptyTree] : []), base, ours, theirs]);
  return runMergeTree(ctx, getObjectId(format, ours), getObjectId(format, theirs));
}

/** Merges two commits as git would, without any checkout. */
export async function runMergeTree(
  ctx: GitContext,
  ours: string,
  theirs: string,
): Promise<{ ok: true; tree: string } | { ok: false; conflicts: string[] }> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const result = await runScratch(ctx, args);
  const [tree = '', ...names] = result.stdout.toString('utf8').split('\0');
  if (result.code === 1) return { ok: false, conflicts: [...new Set(names.filter(name => name !== ''))] };
  expectOk(ctx, 'merging', result);
  return { ok: true, tree };
}

function getBareCommit(tree: string, parents: readonly string[]): NewObject {
  const who = 'Harness <harness@localhost> 0 +0000';
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
  ];
  return { type: 'commit', body: Buffer.from(`${lines.join('\n')}\n\nmerge\n`) };
}
