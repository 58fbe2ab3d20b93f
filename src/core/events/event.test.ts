import { expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, landing, synced } from '../../../test/support/pipeline.ts';
import type { CheckResult } from '../model/check.ts';
import type { HarnessEvent, StoredEvent } from './event.ts';
import { getEventKind, getEventLevel, getEventLine } from './event.ts';

const getLine = (event: HarnessEvent) => getEventLine({ seq: 1, atMs: 1, event } as StoredEvent);

it('a check that only warned is named where its task is called proven', () => {
  const verdict = landing('1').find(({ type }) => type === 'verdict.given');
  const warned = { check: 'lint', status: 'warned', summary: '3 more warnings' } as CheckResult;
  if (verdict?.type !== 'verdict.given') throw new Error('no verdict');
  expect(getLine({ ...verdict, checks: [warned] })).toContain(', with a warning of lint: 3 more warnings');
  expect(getLine({ ...verdict, checks: [] })).not.toContain('warning');
});

it.each([
  [['a'], 'with 1 finding ('],
  [['a', 'b'], 'with 2 findings ('],
])('what is counted has its word in the number it needs: %j', (findings, text) => {
  const sent = { type: 'attempt.sent-back', task: '1', attempt: 1, round: 1, reason: 'r', findings } as const;
  expect(getLine(sent as unknown as HarnessEvent)).toContain(text);
});

it('what a later version wrote down is shown, and changes nothing', () => {
  const unknown = { type: 'weather.seen', task: '1', attempt: 1 } as unknown as HarnessEvent;
  expect([getLine(unknown), getEventLevel(unknown)]).toEqual([null, 'important']);
  expect(getEventKind(unknown).progress).toBeUndefined();
  const before = foldAll(synced([makeTask('1')]));
  const after = foldAll(synced([makeTask('1')]), unknown);
  expect({ ...after, seq: 0, version: 0, updatedAtMs: 0 }).toEqual({
    ...before,
    seq: 0,
    version: 0,
    updatedAtMs: 0,
  });
});
