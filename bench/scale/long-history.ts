import { createHash } from 'node:crypto';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { CheckResult } from '../../src/core/model/check.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import { landing, synced } from '../../test/support/pipeline.ts';

/** What a landing comes to with all that is said on the way. */
const EVENTS_PER_TASK = 12;
const BATCH = 10;

/** How many tasks land in so many events. */
export function countTasks(events: number): number {
  return Math.max(0, Math.floor((events - 1) / (EVENTS_PER_TASK + 1 / BATCH)));
}

interface Start {
  /** So many land, one after the other; the others wait. */
  readonly landed: number;
  readonly commit: string;
  readonly blob: string;
}

/** The record of a project in which each run lets go of the work that has landed. */
export function* makeEvents(defs: readonly TaskDef[], { landed, ...source }: Start): Generator<HarnessEvent> {
  yield synced(defs, { ...source, project: 'sample' });
  for (const [at, { id }] of defs.slice(0, landed).entries()) {
    yield* makeLanding(id, at + 1);
    if (at % BATCH === BATCH - 1)
      yield { type: 'checkpoints.pruned', ids: defs.slice(at - BATCH + 1, at + 1).map(one => `${one.id}-1`) };
  }
}

/** As long as such events mostly are, with hashes of their own. */
function* makeLanding(id: string, session: number): Generator<HarnessEvent> {
  const ref = { task: id, attempt: 1 };
  const hash = createHash('sha256').update(id).digest('hex');
  const commit = hash.slice(0, 40);
  for (const event of landing(id, { session, base: commit })) {
    if (event.type === 'attempt.prepared')
      yield { ...event, checkpoint: { ...event.checkpoint, backlogHash: hash, notesHash: hash } };
    else if (event.type === 'session.ended') {
      const step = { step: 1, total: 2, description: `The first half of task ${id} is there` };
      yield { type: 'step.reached', ...ref, session, ...step };
      yield { type: 'session.spent', ...ref, session, usage: event.usage };
      yield { type: 'note.added', level: 'debug', text: 'as long as a fact mostly is '.repeat(6), task: id };
      yield { ...event, handoff: NOTE };
    } else if (event.type === 'verdict.given') yield { ...event, checks: CHECKS };
    else if (event.type === 'task.landed') yield { ...event, commit };
    else yield event;
  }
}

const NOTE = {
  phase: 'done',
  completed: ['the code', 'its test', 'the line in the guide'],
  next_step: 'nothing is left of it',
  critical_files: ['src/a.ts', 'src/b.ts'],
  memory_notes: 'as long as what is worth knowing mostly is '.repeat(4),
};

const NAMES = ['diff', 'protected', 'build', 'fail-to-pass', 'pass-to-pass', 'lint'] as const;
const CHECKS: readonly CheckResult[] = NAMES.map(check => ({
  ...{ check, status: 'passed', summary: `${check}: nothing was found`, durationMs: 400 },
  ...{ findings: [], commands: [] },
}));
