import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { ended, foldAll, landing, synced, upTo } from '../../../test/support/pipeline.ts';
import { getBacklogChange } from '../decide/backlog-diff.ts';
import type { HarnessEvent } from '../events/event.ts';
import { getSuspects } from './regression.ts';

const DEFS = [makeTask('1'), makeTask('2', ['1']), makeTask('3')];
const BACKLOG = synced(DEFS);
const FILE = DEFS[0]?.testFile as string;
const ID = `${FILE} > adds`;

const measured = (passing: string[], failing: string[] = []): HarnessEvent => ({
  type: 'baseline.measured',
  tree: 't',
  command: 'test',
  passing,
  failing,
});

const look = (events: readonly HarnessEvent[], failing: string[], suite: string | null = 'test') =>
  getSuspects(foldAll(BACKLOG, events), { tree: 'new', passing: [], failing }, suite).map(
    ({ task, tests }) => [task.def.id, ...tests],
  );

describe('a test that has turned red on the base accuses', () => {
  it.each<[string, HarnessEvent[], string[], unknown[]]>([
    ['the landed task it proved', [...landing('1'), measured([ID])], [ID], [['1', ID]]],
    ['the task, if it landed after the last look', [measured([], [ID]), ...landing('1')], [ID], [['1', ID]]],
    [
      'nobody, if it was red before',
      [...landing('1'), ...upTo('prepared', '3', { session: 2 }), measured([], [ID])],
      [ID],
      [],
    ],
    ['nobody, if its task has not landed', [measured([ID])], [ID], []],
    ['nobody, if it belongs to none', [...landing('1'), measured(['x > y'])], ['x > y'], []],
    [
      'nobody, while it is in quarantine',
      [...landing('1'), measured([ID]), { type: 'test.quarantined', id: ID, evidence: [] }],
      [ID],
      [],
    ],
    [
      'every landed task, newest first, if the suite only has an exit code',
      [...landing('1'), ...landing('3', { session: 2 }), measured(['test'])],
      ['test'],
      [['3'], ['1']],
    ],
  ])('%s', (_, events, failing, expected) => {
    expect(look(events, failing)).toEqual(expected);
  });
});

describe('a task that is open again', () => {
  const reopened: HarnessEvent = { type: 'task.reopened', task: '1', reason: 'broken', tests: [ID] };
  const events = [...landing('1'), reopened];

  it('comes before all others, and what depends on it waits', () => {
    const state = foldAll(BACKLOG, events);
    expect(state.ready.peek()).toBe('1');
    expect(state.ready.rankOf('2')).toBeNull();
    expect(state.tasks.get('1')).toMatchObject({ status: 'pending', landed: null, attempts: 0 });
    expect(state.tasks.get('1')?.history.at(-1)).toMatchObject({ reason: 'broken', findings: [ID] });
  });

  it('is not taken for done because its flag still says so', () => {
    const state = foldAll(BACKLOG, events);
    const listed = DEFS.map(def => ({ def, passes: def.id === '1' }));
    const source = { commit: 'c', blob: 'b', project: 'p' };
    expect(getBacklogChange(state, listed, source)).toMatchObject({ accepted: [], reopened: [] });
  });

  it('is done as any other once it has landed again', () => {
    const state = foldAll(BACKLOG, [...events, ...landing('1', { attempt: 2, session: 2 })]);
    expect(state.tasks.get('1')).toMatchObject({ status: 'landed', reopened: null });
    expect(state.ready.rankOf('2')).not.toBeNull();
  });

  it('is landed as it was when somebody else has fixed it', () => {
    const start = upTo('prepared', '1', { attempt: 2, session: 2 });
    const end = ended('1', 'partial', { attempt: 2, category: 'DEPENDENCY', restored: true });
    const state = foldAll(BACKLOG, [...events, ...start, end]);
    expect(state.tasks.get('1')).toMatchObject({
      status: 'landed',
      reopened: null,
      landed: { commit: 'landed-1', attempt: 1 },
    });
  });
});
