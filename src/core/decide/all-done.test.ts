import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { failing, foldAll, landing, SCOPE, synced, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { RunScope, World } from '../model/world.ts';
import { getEnd } from './stopping.ts';

const BACKLOG = synced([makeTask('1')]);
const LANDED = landing('1');

const checked = (commit: string, broken: readonly string[] = []): HarnessEvent => ({
  type: 'project.checked',
  commit,
  tree: `${commit}-tree`,
  passing: 3,
  failing: broken.length,
  broken,
});

function ask(events: readonly HarnessEvent[], scope: Partial<RunScope> = {}, world: Partial<World> = {}) {
  const state = foldAll(BACKLOG, events);
  return getEnd(state, { ...WORLD, ...world }, simPolicy, { ...SCOPE, ...scope });
}

const later = { nowMs: Number.MAX_SAFE_INTEGER };

describe('when everything has landed', () => {
  it.each<[string, readonly HarnessEvent[], Partial<RunScope>, Partial<World>, unknown]>([
    ['the whole is looked at', LANDED, {}, {}, { type: 'check-all' }],
    ['what was looked at is done', [...LANDED, checked('tip')], {}, {}, { type: 'stop', why: 'all-done' }],
    ['another tip is looked at anew', [...LANDED, checked('old')], {}, {}, { type: 'check-all' }],
    [
      'red tests that nobody answers for are no good end',
      [...LANDED, checked('tip', ['a'])],
      {},
      {},
      { type: 'stop', why: 'broken-tip' },
    ],
    ['who was asked for one task stops', LANDED, { onlyTask: '1' }, {}, { type: 'stop', why: 'all-done' }],
    ['who maintains looks as well', LANDED, { maintains: true }, {}, { type: 'check-all' }],
    [
      'and stays after it',
      [...LANDED, checked('tip')],
      { maintains: true },
      {},
      { type: 'wait', ms: 5_000, why: expect.any(String) },
    ],
    [
      'looks no sooner than the interval allows',
      [...LANDED, checked('old')],
      { maintains: true },
      {},
      { type: 'wait', ms: 5_000, why: expect.any(String) },
    ],
    [
      'and then at what has changed',
      [...LANDED, checked('old')],
      { maintains: true },
      later,
      { type: 'check-all' },
    ],
    [
      'and not at what has not',
      [...LANDED, checked('tip')],
      { maintains: true },
      later,
      { type: 'wait', ms: 5_000, why: expect.any(String) },
    ],
  ])('%s', (_, events, scope, world, action) => {
    expect(ask(events, scope, world)).toEqual(action);
  });
});

it('a run that maintains stays when everything left waits for a person', () => {
  const events = failing('1', 'needs-human');
  expect(ask(events)).toEqual({ type: 'stop', why: 'nothing-ready' });
  expect(ask(events, { maintains: true })).toMatchObject({ type: 'wait' });
});
