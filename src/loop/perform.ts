import { ObjectGone } from '../core/base/failure.ts';
import { getLostEnding } from '../core/decide/lost-work.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Work } from '../core/model/action.ts';
import { getTaskResource, QUEUE_RESOURCE } from '../core/model/world.ts';
import { getKeptWork } from '../core/proof/kept-work.ts';
import { acceptTest } from '../steps/accept-test.ts';
import { adoptAttempt, interrupt } from '../steps/adopt-attempt.ts';
import { checkAll } from '../steps/check-all.ts';
import { close, sendBack } from '../steps/close.ts';
import { gate, withdrawRelease } from '../steps/gate.ts';
import { land } from '../steps/land.ts';
import { landBatch } from '../steps/land-batch.ts';
import { lease } from '../steps/lease.ts';
import { preflight } from '../steps/preflight.ts';
import { prepare } from '../steps/prepare.ts';
import { resumeHeld } from '../steps/resume-held.ts';
import { session } from '../steps/session.ts';
import { snapshot } from '../steps/snapshot.ts';
import { endAttempt, type StepContext, type StepResult, type UnderWay } from '../steps/step.ts';
import { sync } from '../steps/sync.ts';
import { takeQueue } from '../steps/take-queue.ts';
import { verify } from '../steps/verify.ts';
import { LeaseLost } from './lease-keeper.ts';
import type { Run } from './run.ts';

type Answer = StepResult | Promise<StepResult>;
type Step<W extends Work = Work> = (ctx: StepContext, work: W) => Answer;

/** The steps of the pipeline. */
export const STEPS = {
  sync,
  'check-all': checkAll,
  gate,
  'withdraw-release': withdrawRelease,
  add: (_, { def }) => ({ events: [{ type: 'task.added', def }] }),
  ask: (_, { question }) => ({ events: [{ type: 'question.asked', ...question }] }),
  withdraw: (_, { id, why }) => ({ events: [{ type: 'question.withdrawn', id, why }] }),
  lease,
  'take-queue': takeQueue,
  'land-batch': landBatch,
  adopt: onAttempt(adoptAttempt),
  'resume-held': onAttempt(resumeHeld),
  prepare: onAttempt(prepare),
  preflight: onAttempt(preflight),
  session: onAttempt(session),
  interrupt: onAttempt(interrupt),
  snapshot: onAttempt(snapshot),
  verify: onAttempt(verify),
  'accept-test': onAttempt(acceptTest),
  'send-back': onAttempt(sendBack),
  land: onAttempt(land),
  close: onAttempt(close),
} satisfies { readonly [T in Work['type']]: Step<Extract<Work, { type: T }>> };

/** The step of an attempt, which cannot be called without one. */
function onAttempt<W extends { readonly task: string }>(
  step: (ctx: StepContext, at: UnderWay, work: W) => Answer,
): (ctx: StepContext, work: W) => Answer {
  return (ctx, work) => {
    const task = ctx.state.tasks.get(work.task);
    const attempt = ctx.state.active.get(work.task);
    if (!task || !attempt) throw new Error(`task ${work.task} has no attempt under way`);
    return step(ctx, { task, attempt }, work);
  };
}

/** Steps that can be done once more as if nothing had happened: an agent is not set to work twice. */
const REPEATED: ReadonlySet<Work['type']> = new Set<Work['type']>([
  'prepare',
  'preflight',
  'snapshot',
  'verify',
  'accept-test',
  'land',
  'close',
  'check-all',
  'gate',
  'land-batch',
  'resume-held',
]);
const TRIES = 8;
const PAUSE_MS = 500;

/**
 * A `git gc --prune=now` of the user's may clear away what a step has just made: then it makes it again. What another
 * host has made is fetched, and the attempt is over where nobody has that any more.
 */
export async function perform(
  ctx: StepContext,
  work: Work,
  step: Step = STEPS[work.type] as Step,
): Promise<StepResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await step(ctx, work);
    } catch (error) {
      if (!(error instanceof ObjectGone) || !REPEATED.has(work.type)) throw error;
      const lost = await endLost(ctx, work);
      if (lost) return lost;
      if (tries === TRIES) throw error;
      await ctx.ports.clock.sleep(PAUSE_MS * tries, ctx.signal);
      await ctx.ports.workspace.fetch?.();
    }
  }
}

/** What ends the attempt of a step whose work no host has any more; null while it can be had. */
async function endLost({ state, ports }: StepContext, work: Work): Promise<StepResult | null> {
  const id = 'task' in work ? work.task : '';
  const [task, attempt] = [state.tasks.get(id), state.active.get(id)];
  if (!task || !attempt) return null;
  const gone = await ports.workspace.fetch?.(getKeptWork(attempt, task));
  const commit = gone?.[0];
  return commit === undefined ? null : endAttempt(attempt, getLostEnding(attempt, commit));
}

/** For so long a task is left alone whose holder died before it could say what it took: only time frees it. */
const HELD_MS = 1_000;

/** Steps that run tests: more of them at once than the machine can take would only look like slow tests. */
const VERIFYING: ReadonlySet<Work['type']> = new Set<Work['type']>([
  'preflight',
  'verify',
  'accept-test',
  'check-all',
  'gate',
]);

/** What came of a step, once it is recorded: under the lease of its task, or taking it. */
export async function performAndRecord(
  run: Run,
  work: Work,
  decidedOn?: number,
): Promise<readonly HarnessEvent[]> {
  const { ports, policy, signal, worktrees, journal, keeper } = run;
  const resource = getResource(work);
  const ctx: StepContext = {
    ...{ ports, policy, signal, worktrees },
    isShared: run.options.lanes !== undefined || !policy.exclusive,
    record: events => recordHeld(run, resource, events),
    get state() {
      return journal.state;
    },
  };
  const attempt = 'task' in work ? journal.state.active.get(work.task) : undefined;
  if (attempt?.former && run.progress.isFirstSweep(attempt.former.id))
    await ports.workers.reap(attempt.former);
  if (attempt) await worktrees.surroundings.assign(attempt.slot, keeper);
  const say = (phase: string) => ports.reporter.phase('task' in work ? work.task : null, phase);
  const act = () => {
    say(work.type);
    return perform(ctx, work);
  };
  if (run.options.lanes && VERIFYING.has(work.type)) say('wait to run tests');
  const { events, acquire, release } = await (VERIFYING.has(work.type) ? run.verifying.take(act) : act());
  if (events.length === 0) return [];
  if (resource !== null && !acquire) {
    await recordHeld(run, resource, events, release);
    if (release) keeper.forget(resource);
    return events;
  }
  const decided = decidedOn === undefined ? {} : { decidedOn };
  const recorded = await journal.record(events, { ...decided, ...(acquire ? { acquire } : {}) });
  if (!recorded.ok) {
    if (recorded.why === 'held') await ports.clock.sleep(HELD_MS, signal);
    return [];
  }
  if (recorded.lease) keeper.hold(recorded.lease);
  return events;
}

/** The lease that a step's facts are recorded under, or that it takes. */
function getResource(work: Work): string | null {
  if ('task' in work) return getTaskResource(work.task);
  return work.type === 'land-batch' || work.type === 'take-queue' ? QUEUE_RESOURCE : null;
}

/** Facts of whoever holds the lease; after its time, too, as long as nobody else has had it. */
async function recordHeld(
  { journal, keeper }: Run,
  resource: string | null,
  events: readonly HarnessEvent[],
  release = false,
): Promise<void> {
  const current = resource === null ? undefined : keeper.get(resource);
  if (!current) throw new LeaseLost(String(resource), 'it was given up');
  let result = await journal.record(events, { lease: current, release });
  if (!result.ok && result.why === 'fenced') {
    const again = await keeper.takeAgain(String(resource));
    if (again) result = await journal.record(events, { lease: again, release });
  }
  if (!result.ok) throw new LeaseLost(String(resource), result.why);
}
