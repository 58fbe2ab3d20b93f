import { HarnessError } from '../core/base/failure.ts';
import { getShortCommit } from '../core/base/text.ts';
import { getOtherLanding, getOutdoneEnding } from '../core/decide/foreign-landings.ts';
import { getLostEnding } from '../core/decide/lost-work.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import { getAttemptRef, getBatchMessage } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { Batch } from '../core/state/merge-queue.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Tip } from '../ports/index.ts';
import { putOnto } from '../session/put-onto.ts';
import { judgeStack, type Layer, SUITE } from '../testruns/judge-stack.ts';
import { readMeasured } from '../testruns/read-measured.ts';
import type { TestRuns } from '../testruns/test-runs.ts';
import { endAttempt, getAwaited, getRef, openTests, type StepContext, type StepResult } from './step.ts';

/** A worktree of its own, far above what attempts use, for each lane that may land. */
const FIRST_QUEUE_SLOT = 400;

interface Member extends Layer {
  readonly task: TaskState;
  readonly attempt: Attempt;
}

/**
 * Lands what is queued: stacked on the tip, the suite run once on all of it, and merged with every member as it was
 * judged. Who does not go together with the others is told so and goes on; the rest lands without it. The intent is
 * recorded first, and the branch moves by compare-and-swap, so that doing it twice has the effect of once.
 */
export async function landBatch(ctx: StepContext): Promise<StepResult> {
  const { batch } = ctx.state.queue;
  if (batch === null) throw new Error('there is no batch to land');
  if (batch.former) await ctx.ports.workers.reap(batch.former);
  const gone = await fetchWaiting(ctx, batch);
  const tip = await ctx.ports.workspace.tip();
  const landed = await findLanded(ctx, batch, tip);
  if (landed.length > 0)
    return getLanded(batch, { members: landed, ref: tip.ref, commit: batch.commit ?? tip.commit });
  const tests = openTests(ctx, getSlot(ctx), getAwaited(ctx));
  // Recorded with the landing: whoever is out begins again on the very commit that it collides with.
  const out = gone.flatMap(({ attempt }) => getLost(attempt).events);
  const there = getWaiting(ctx, batch).filter(({ task }) => !gone.some(one => one.task === task));
  for (let waiting = await leaveOutdone(ctx, { tip, waiting: there, out }); ; ) {
    const members = await stack(ctx, { tip, waiting, out });
    if (members.length === 0) return withBefore(out, end(batch, 'nothing of it could land'));
    const verdict = await judgeStack({ ...ctx, tests }, tip.tree, members);
    ctx.signal.throwIfAborted();
    if (verdict.unclear.length > 0) throw getUnclearError(verdict.unclear);
    const culprit = verdict.culprit === null ? undefined : members[verdict.culprit];
    if (!culprit) return withBefore(out, await merge(ctx, batch, { tip, members, tests }));
    const below = members.slice(0, verdict.culprit ?? 0).map(({ task }) => task.def.id);
    out.push(...(await eject(ctx, culprit, { tip, below, reds: verdict.red })));
    waiting = members.filter(member => member !== culprit);
  }
}

/** Nothing of it holds where the branch was moved by somebody else: that is stacked anew, on theirs. */
function withBefore(out: readonly HarnessEvent[], { events, ...result }: StepResult): StepResult {
  return { ...result, events: events.length === 0 ? [] : [...out, ...events] };
}

type Waiting = Pick<Member, 'task' | 'attempt'>;

/** Those that still wait: one that a person has taken out meanwhile does not. */
function getWaiting({ state }: StepContext, { members }: Batch): readonly Waiting[] {
  return members.flatMap(({ task: id, attempt: number }) => {
    const task = state.tasks.get(id);
    const attempt = state.active.get(id);
    return task && attempt?.number === number && attempt.stage === 'queued' ? [{ task, attempt }] : [];
  });
}

/** Work that another host has judged; the answer is whose cannot be had any more. */
async function fetchWaiting(ctx: StepContext, batch: Batch): Promise<readonly Waiting[]> {
  const waiting = getWaiting(ctx, batch);
  const kept = waiting.flatMap(({ attempt: { task, number, landing } }) =>
    landing === null ? [] : [{ name: getAttemptRef(task, number), commit: landing }],
  );
  const gone = (await ctx.ports.workspace.fetch?.(kept)) ?? [];
  return waiting.filter(({ attempt }) => gone.includes(attempt.landing ?? ''));
}

function getLost(attempt: Attempt): StepResult {
  return endAttempt(attempt, getLostEnding(attempt, String(attempt.landing)));
}

/** Members that are on the branch already: whoever landed them did not live to say so. */
async function findLanded(ctx: StepContext, batch: Batch, tip: Tip): Promise<readonly Waiting[]> {
  if (batch.commit === null) return [];
  const waiting = getWaiting(ctx, batch);
  const found = await Promise.all(
    waiting.map(async member => {
      const { firstBase, landing } = member.attempt;
      const landings = await ctx.ports.workspace.findLandings(firstBase, tip.commit);
      return landings.some(({ commit }) => commit === landing) ? [member] : [];
    }),
  );
  return found.flat();
}

/** Nothing lands that has landed meanwhile by the records of somebody else. */
async function leaveOutdone(
  { ports: { workspace } }: StepContext,
  { tip, waiting, out }: Stacking,
): Promise<readonly Waiting[]> {
  if (workspace.fetch === undefined) return waiting;
  const rest: Waiting[] = [];
  for (const member of waiting) {
    const { task, attempt } = member;
    const found = await workspace.findLandings(attempt.firstBase, tip.commit);
    const other = getOtherLanding(task, attempt.landing, found);
    if (other) out.push(...endAttempt(attempt, getOutdoneEnding(attempt, other)).events);
    else rest.push(member);
  }
  return rest;
}

interface Stacking {
  readonly tip: Tip;
  readonly waiting: readonly Waiting[];
  /** What is to be recorded of those who do not fit. */
  readonly out: HarnessEvent[];
}

/** Everybody on top of the one before; who conflicts is out without a run. */
async function stack(ctx: StepContext, { tip, waiting, out }: Stacking): Promise<readonly Member[]> {
  const members: Member[] = [];
  let onto: { readonly commit: string; readonly tree: string } = tip;
  for (const { task, attempt } of waiting) {
    const { candidate } = attempt;
    if (!candidate) continue;
    // What stands on the tip already lands as it was judged, to the byte.
    const isThere = onto === tip && attempt.base === tip.commit;
    const put = isThere ? candidate : await putOnto(ctx, { task, attempt }, candidate, onto);
    if ('findings' in put) {
      const below = members.map(member => member.task.def.id);
      const { findings, conflicts } = put;
      out.push(...(await eject(ctx, { task, attempt }, { tip, below, findings, conflicts })));
      continue;
    }
    onto = put;
    const { baseTree } = attempt;
    members.push({ task, attempt, def: task.def, baseTree, ownTree: candidate.tree, tree: put.tree });
  }
  return members;
}

/** Neither yes nor no: it waits, and nobody is to blame for it. */
function getUnclearError(tests: readonly string[]): HarnessError {
  const message = `what was green before is red even as it was: ${tests.slice(0, 3).join(', ')}`;
  return new HarnessError('environment', `the queued work can not be judged: ${message}`, {
    fix: 'see what the tests need (harness doctor --trial), then run harness again: what is queued lands without an agent',
  });
}

interface Collision {
  readonly tip: Tip;
  /** Tasks that were stacked below it. */
  readonly below: readonly string[];
  readonly findings?: readonly string[];
  /** Files. */
  readonly conflicts?: readonly string[];
  readonly reds?: readonly string[];
}

/** Not its fault, and not charged: its agent is told what it collides with, and goes on with its own work. */
async function eject(
  ctx: StepContext,
  { attempt }: Waiting,
  { tip, below, findings: found = [], conflicts = [], reds = [] }: Collision,
): Promise<readonly HarnessEvent[]> {
  const landed = await ctx.ports.workspace.findLandings(attempt.base, tip.commit);
  const others = [...new Set([...landed.map(({ task }) => task), ...below])];
  const against = others.length > 0 ? ` (task ${others.join(', ')})` : '';
  const findings = [
    ...found,
    ...reds.map(id => `${id} passes without this work and fails with it on ${getShortCommit(tip.commit)}`),
    `your work as it was proven: git show ${attempt.landing ?? attempt.candidate?.commit}`,
  ];
  const what = found.length > 0 ? 'conflicts' : 'does not go together';
  const { events } = endAttempt(attempt, {
    outcome: 'partial',
    category: 'TASK_EXEC',
    reason: `the proven work ${what} with what landed meanwhile${against}`,
    findings,
    // The candidate itself is kept under no ref since it was queued.
    wip: attempt.landing ?? attempt.candidate?.commit ?? null,
    collided: true,
    ...(conflicts.length > 0 ? { conflicts } : {}),
  });
  return events;
}

interface Stacked {
  readonly tip: Tip;
  readonly members: readonly Member[];
}

/** One merge whose parents are the tip and every member as it was judged; a single one that stands on the tip needs none. */
async function merge(
  ctx: StepContext,
  batch: Batch,
  { tip, members, tests }: Stacked & { readonly tests: TestRuns },
): Promise<StepResult> {
  const { workspace } = ctx.ports;
  const commit = await makeMerge(ctx, batch, { tip, members });
  const { tree } = members.at(-1) ?? tip;
  const suites = tests.records.filter(({ purpose }) => purpose === SUITE).length;
  const refs = members.map(({ attempt }) => getRef(attempt));
  await ctx.record([
    { type: 'batch.proven', batch: batch.number, commit, tree, onto: tip.commit, members: refs, suites },
  ]);
  const result = await workspace.land({ commit, expected: tip.commit });
  // Somebody else moved the branch: the next look stacks anew, on theirs.
  if (!result.ok) return { events: [] };
  const notes = result.note === null ? [] : [getNote(result.note)];
  const landed = getLanded(batch, { members, ref: result.ref, commit });
  const measured = await readMeasured(ctx, tests, tree);
  return { ...landed, events: [...notes, ...measured, ...landed.events] };
}

function getNote(text: string): HarnessEvent {
  return { type: 'note.added', level: 'important', text };
}

async function makeMerge(ctx: StepContext, batch: Batch, { tip, members }: Stacked): Promise<string> {
  const landings = members.flatMap(({ attempt }) => attempt.landing ?? []);
  const [only] = members;
  if (members.length === 1 && only?.attempt.base === tip.commit && landings[0]) return landings[0];
  const message = getBatchMessage(
    batch.number,
    members.map(({ task }) => task.def),
  );
  const atMs = Math.max(...members.map(({ attempt }) => attempt.judged?.atMs ?? 0));
  const { tree } = members.at(-1) ?? tip;
  return ctx.ports.workspace.commit({ tree, parent: tip.commit, merges: landings, message, atMs });
}

function getLanded(
  batch: Batch,
  {
    members,
    ref,
    commit,
  }: { readonly members: readonly Waiting[]; readonly ref: string; readonly commit: string },
): StepResult {
  const events: HarnessEvent[] = [];
  for (const { attempt } of members) {
    const own = attempt.landing ?? commit;
    events.push({ type: 'task.landed', ...getRef(attempt), commit: own, ref });
  }
  events.push({ type: 'batch.ended', batch: batch.number, commit, reason: 'landed' });
  return { events, release: true };
}

function end({ number: batch }: Batch, reason: string): StepResult {
  return { events: [{ type: 'batch.ended', batch, commit: null, reason }], release: true };
}

function getSlot({ ports }: StepContext): number {
  return FIRST_QUEUE_SLOT + (ports.workers.self.lane ?? 0);
}
