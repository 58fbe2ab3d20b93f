import { setTimeout as sleep } from 'node:timers/promises';
import { keep } from '../landing/kept.ts';
import { makeNote } from '../landing/notes.ts';
import type { GitContext } from '../repo/context.ts';
import { NOTES_REF } from '../repo/locks.ts';
import { fetchRefs, readRemoteHeads, readRemoteTip } from './heads.ts';
import { getRemoteError } from './network.ts';
import { push } from './push.ts';

interface Note {
  readonly commit: string;
  readonly text: string;
}

/** Notes of one clone that wait for the push before theirs, and then go together. */
interface Line {
  last: Promise<unknown>;
  waiting: Note[];
  next: Promise<void> | undefined;
}

const lines = new Map<string, Line>();

/** Attaches a proof where every host finds it; others do the same at the same time, and nothing of theirs is lost. */
export async function annotateOnRemote(ctx: GitContext, commit: string, text: string): Promise<void> {
  const { commonDir } = ctx.repo;
  const line = lines.get(commonDir) ?? { last: Promise.resolve(), waiting: [], next: undefined };
  lines.set(commonDir, line);
  line.waiting.push({ commit, text });
  if (line.next === undefined) {
    line.next = line.last.then(() => putWaiting(ctx, line));
    line.last = line.next.catch(() => undefined);
  }
  await line.next;
}

function putWaiting(ctx: GitContext, line: Line): Promise<void> {
  const notes = line.waiting;
  line.waiting = [];
  line.next = undefined;
  return putNotes(ctx, notes);
}

const TRIES = 40;

async function putNotes(ctx: GitContext, notes: readonly Note[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { notes: from } = await readRemoteHeads(ctx);
    if (from !== null) await fetchRefs(ctx, [NOTES_REF]);
    let to = from;
    for (const note of notes) to = await makeNote(ctx, to, note);
    if (to === null) return;
    // They are there: from before, or by a push whose answer was lost.
    if (to === from) return keepNotes(ctx, to);
    const pushed = await push(ctx, [`--force-with-lease=${NOTES_REF}:${from ?? ''}`], [`${to}:${NOTES_REF}`]);
    if (pushed.code === 0) return keepNotes(ctx, to);
    if (tries === TRIES) throw getRemoteError(ctx, 'pushing proofs to', pushed.stderr);
    await sleep(getPauseMs(to, tries));
  }
}

const LONGEST_MS = 2_000;

/** No two hosts wait equally long: what is to be pushed differs, and so does its id. */
function getPauseMs(commit: string, tries: number): number {
  return Math.min(LONGEST_MS, Number.parseInt(commit.slice(0, 2), 16) * tries);
}

/** The branch and the proofs as the remote has them now. */
export async function refreshRemote(ctx: GitContext): Promise<void> {
  await readRemoteTip(ctx);
  const { notes } = await readRemoteHeads(ctx);
  if (notes === null) return;
  await fetchRefs(ctx, [NOTES_REF]);
  await keepNotes(ctx, notes);
}

/** The proofs as the remote has them, where readers look for them. */
function keepNotes(ctx: GitContext, notes: string): Promise<void> {
  return keep(ctx, 'remote/notes', notes);
}
