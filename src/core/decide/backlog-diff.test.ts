import { describe, expect, it } from 'vitest';
import { makeTask, store } from '../../../test/support/history.ts';
import { failing, foldAll, landing, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { apply } from '../events/fold.ts';
import { getBacklogChange } from './backlog-diff.ts';

const SOURCE = { commit: 'c1', blob: 'b1', project: 'demo' };
const one = makeTask('1');
const two = makeTask('2', ['1']);
const BACKLOG = synced([one, two]);

interface Change {
  readonly upserted?: readonly string[];
  readonly removed?: readonly string[];
  readonly accepted?: readonly string[];
  readonly reopened?: readonly string[];
}

function diff(events: readonly HarnessEvent[], listed: Parameters<typeof getBacklogChange>[1]): Change {
  const { upserted, ...rest } = getBacklogChange(foldAll(BACKLOG, events), listed, SOURCE);
  return { ...rest, upserted: upserted.map(def => def.id) };
}

const open = (def: typeof one) => ({ def, passes: false });
const done = (def: typeof one) => ({ def, passes: true });
const REMOVED = synced([], { removed: ['2'] });

describe('getBacklogChange', () => {
  it.each<[string, HarnessEvent[], Parameters<typeof getBacklogChange>[1], Change]>([
    ['the same file says nothing new', [], [open(one), open(two)], {}],
    ['a new task', [], [open(one), open(two), open(makeTask('3'))], { upserted: ['3'] }],
    [
      'a new task that passes already',
      [],
      [open(one), open(two), done(makeTask('3'))],
      { upserted: ['3'], accepted: ['3'] },
    ],
    ['a task with another title', [], [open({ ...one, title: 'new' }), open(two)], { upserted: ['1'] }],
    ['a task taken out', [], [open(one)], { removed: ['2'] }],
    ['a task taken out that is being worked on', upTo('ready', '1'), [open(two)], {}],
    ['a task put back', [REMOVED], [open(one), open(two)], { upserted: ['2'] }],
    ['a task that stays out', [REMOVED], [open(one)], {}],
    ['a task marked by hand', [], [done(one), open(two)], { accepted: ['1'] }],
    [
      'a failed task marked by hand',
      failing('1', 'needs-human'),
      [done(one), open(two)],
      { accepted: ['1'] },
    ],
    ['a task marked by hand while it is worked on', upTo('ready', '1'), [done(one), open(two)], {}],
    ['a landed task whose flag is set', landing('1'), [done(one), open(two)], {}],
    ['a landed task that is to be done again', landing('1'), [open(one), open(two)], { reopened: ['1'] }],
  ])('%s', (_, events, listed, change) => {
    const nothing = { upserted: [], removed: [], accepted: [], reopened: [] };
    expect(diff(events, listed)).toMatchObject({ ...nothing, ...change, ...SOURCE });
  });

  it('has nothing left to say once it has been applied', () => {
    const state = foldAll(BACKLOG, landing('1'));
    const listed = [open(one), done(makeTask('3')), open({ ...two, priority: 0 })];
    for (const stored of store([getBacklogChange(state, listed, SOURCE)])) apply(state, stored);
    const again = getBacklogChange(state, listed, SOURCE);
    expect(again).toMatchObject({ upserted: [], removed: [], accepted: [], reopened: [] });
  });
});
