import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { ended, foldAll, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { RunScope } from '../model/world.ts';
import { decide } from './decide.ts';

const writes = (id: string, ...outputs: string[]) => ({ ...makeTask(id), outputs });
const decided = (id: string): HarnessEvent => ({
  type: 'task.overridden',
  task: id,
  reason: 'by hand',
  by: 'Ada',
  workOf: null,
  unproven: true,
});

const other = { id: 'other', host: 'here', pid: 4712, startTicks: '9' };
const started: HarnessEvent = { type: 'worker.started', worker: other, version: '0' };
const lease = { resource: 'task/1', owner: other.id, fence: 1, expiresAtMs: WORLD.nowMs + 60_000 };

/** What a worker does that comes while another one is at task 1, which writes the model. */
function ask(
  others: readonly ReturnType<typeof writes>[],
  events: readonly HarnessEvent[] = [],
  scope: Partial<RunScope> = {},
) {
  const tasks = [writes('1', 'src/model/**'), ...others];
  const state = foldAll(started, synced(tasks), upTo('ready', '1', { worker: 'other' }), events);
  const workers = new Map([['other', 'alive' as const]]);
  const world = { ...WORLD, workers, leases: [lease], backlogBlob: state.backlog?.blob ?? 'b0' };
  return decide(state, world, simPolicy, { ...SCOPE, ...scope });
}

describe('a task that writes what another one at work writes', () => {
  it('is passed over for one that does not', () => {
    expect(ask([writes('2', 'src/model/tax.ts'), writes('3', 'src/view.ts')])).toEqual({
      type: 'lease',
      task: '3',
    });
  });

  it('waits when nothing else is left, and when it was asked for', () => {
    const model = writes('2', 'src/*/tax.ts');
    expect(ask([model])).toMatchObject({ type: 'wait' });
    expect(ask([model], [], { onlyTask: '2' })).toMatchObject({
      type: 'wait',
      why: 'task 1 writes the same files',
    });
  });

  it('does not wait where it has said nothing, or only has to land', () => {
    expect(ask([{ ...makeTask('2'), outputs: [] }])).toEqual({ type: 'lease', task: '2' });
    expect(ask([writes('2', 'src/model/tax.ts')], [decided('2')])).toEqual({ type: 'lease', task: '2' });
  });
});

describe('a task whose work conflicted with that of others', () => {
  const failed = (task: string, conflicts: readonly string[]): HarnessEvent[] => [
    ...upTo('judged', task, { worker: 'w1' }),
    { type: 'candidate.queued', task, attempt: 1, commit: 'c' },
    ended(task, 'partial', { collided: true, conflicts }),
  ];

  it('is not set on those files beside another that writes them', () => {
    expect(ask([{ ...makeTask('2'), outputs: [] }], failed('2', ['src/model/tax.ts']))).toMatchObject({
      type: 'wait',
    });
    expect(ask([{ ...makeTask('2'), outputs: [] }], failed('2', ['src/view.ts']))).toEqual({
      type: 'lease',
      task: '2',
    });
  });

  it('is not charged for that', () => {
    const state = foldAll(synced([makeTask('2')]), failed('2', ['src/a.ts']));
    expect(state.tasks.get('2')).toMatchObject({ attempts: 0, collisions: 1, contested: ['src/a.ts'] });
  });
});
