import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compose } from '../objects/compose.ts';
import { getCommitFacts, readObjects } from '../objects/objects.ts';
import { getObjectId, type NewObject, writeObjects } from '../objects/write-objects.ts';
import { expectOk, type GitContext, runScratch } from '../repo/context.ts';
import { KEPT_PREFIX, NOTES_REF } from '../repo/locks.ts';
import { moveRef, readRef } from './refs.ts';
import { withTurn } from './turn.ts';

const TRIES = 40;
const PAUSE_MS = 25;

/**
 * Attaches a text to a commit as a note of ours, where `git log --notes=harness-proofs` shows it and
 * a push can take it along. The same note twice is one note; other notes are never touched.
 */
export function annotate(ctx: GitContext, commit: string, text: string): Promise<void> {
  const locks = [join(ctx.repo.commonDir, `${NOTES_REF}.lock`)];
  return withTurn(ctx, 'notes', { locks, lockContents: null }, marked => putNote(marked, commit, text));
}

async function putNote(ctx: GitContext, commit: string, text: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const from = await readRef(ctx, NOTES_REF);
    const to = await makeNote(ctx, from, { commit, text });
    if (to === from) return;
    if (to === null || (await tryToMove(ctx, from, to, tries))) return;
    await sleep(PAUSE_MS);
  }
}

/** The notes with one more, as a commit on those before; the same commit where they have it. */
export async function makeNote(
  ctx: GitContext,
  from: string | null,
  { commit, text }: { readonly commit: string; readonly text: string },
): Promise<string | null> {
  const tree = from === null ? getEmptyTree(ctx) : await readTreeOf(ctx, from);
  const next = await compose(ctx, { tree, put: [{ path: getNotePath(commit), text }] });
  return next === tree ? from : writeNoteCommit(ctx, next, from, commit);
}

/** Somebody else may be writing this very ref: their lock goes away by itself. */
async function tryToMove(ctx: GitContext, from: string | null, to: string, tries: number): Promise<boolean> {
  try {
    const move = { ref: NOTES_REF, from, to, reason: 'harness: proof', isLogged: false };
    return (await moveRef(ctx, move)) === 'moved';
  } catch (error) {
    if (tries >= TRIES) throw error;
    return false;
  }
}

/** As git lays out notes once there are many: two letters, a slash, the rest. */
function getNotePath(commit: string): string {
  return `${commit.slice(0, 2)}/${commit.slice(2)}`;
}

function getEmptyTree(ctx: GitContext): string {
  return getObjectId(ctx.repo.objectFormat, { type: 'tree', body: Buffer.alloc(0) });
}

async function readTreeOf(ctx: GitContext, commit: string): Promise<string> {
  const [object] = await readObjects(ctx, [commit]);
  if (object?.type !== 'commit') throw new Error(`${NOTES_REF} does not name a commit`);
  return getCommitFacts(object).tree;
}

/** Dated as the commit it is about, so that the same note makes the same history. */
async function writeNoteCommit(
  ctx: GitContext,
  tree: string,
  parent: string | null,
  about: string,
): Promise<string> {
  const [object] = await readObjects(ctx, [about]);
  const seconds = object?.type === 'commit' ? getCommitFacts(object).seconds : 0;
  const who = `Harness <harness@localhost> ${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
  ];
  const note: NewObject = { type: 'commit', body: Buffer.from(`${lines.join('\n')}\n\nProof of ${about}\n`) };
  await writeObjects(ctx, [note]);
  return getObjectId(ctx.repo.objectFormat, note);
}

/** Every note of ours, by the commit it is about: also where git itself has arranged them otherwise. */
export async function readNotes(ctx: GitContext): Promise<ReadonlyMap<string, string>> {
  const shared = ctx.repo.remote === null ? new Map() : await readNotesAt(ctx, `${KEPT_PREFIX}remote/notes`);
  return new Map([...shared, ...(await readNotesAt(ctx, NOTES_REF))]);
}

async function readNotesAt(ctx: GitContext, ref: string): Promise<ReadonlyMap<string, string>> {
  const tip = await readRef(ctx, ref);
  if (tip === null) return new Map();
  const result = await runScratch(ctx, ['ls-tree', '-r', '-z', '--full-tree', tip]);
  const lines = expectOk(ctx, 'listing notes', result).toString('utf8').split('\0').slice(0, -1);
  const listed = lines.map(line => {
    const [head = '', path = ''] = line.split('\t');
    return { commit: path.replaceAll('/', ''), blob: head.split(' ')[2] ?? '' };
  });
  const objects = await readObjects(
    ctx,
    listed.map(({ blob }) => blob),
  );
  return new Map(
    listed.flatMap(({ commit }, at) => {
      const object = objects[at];
      return object?.type === 'blob' ? [[commit, object.body.toString('utf8')] as const] : [];
    }),
  );
}
