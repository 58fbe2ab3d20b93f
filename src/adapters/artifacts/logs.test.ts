import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeStory, store } from '../../../test/support/history.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import { apply } from '../../core/events/fold.ts';
import { createState } from '../../core/state/state.ts';
import { getProgressLineSeq, getProgressLines } from './logs.ts';

describe('harness-progress.txt', () => {
  it('tells the story in lines made for grep', () => {
    const state = createState();
    const lines = makeStory().flatMap(stored => {
      apply(state, stored);
      return getProgressLines(state, stored).map(line => line.text.replace('2026-01-15T10:00:', ''));
    });
    expect(lines).toEqual([
      '[00Z] [SESSION-0] INIT Backlog of demo: 3 tasks read, 0 removed (commit c0ffee0) #1',
      '[01Z] [SESSION-0] LOCK acquired (pid=4711 host=box worker=w1) #2',
      '[03Z] [SESSION-1] Starting [1] Build part 1 (base=ba5e000 attempt=1) #4',
      '[04Z] [SESSION-1] CHECKPOINT [1] pre_feature (commit ba5e000) #5',
      '[08Z] [SESSION-1] CHECKPOINT [1] 2 files changed (commit cand000) #9',
      '[09Z] [SESSION-1] CHECKPOINT [1] proven: 4 checks passed #10',
      '[10Z] [SESSION-1] Completed [1] (commit abc1234) #11',
      '[12Z] [SESSION-2] Starting [2] Build part 2 (base=ba5e000 attempt=1) #13',
      '[13Z] [SESSION-2] CHECKPOINT [2] pre_feature (commit ba5e000) #14',
      '[17Z] [SESSION-2] CHECKPOINT [2] 2 files changed (commit cand000) #18',
      '[19Z] [SESSION-2] ERROR [2] [TEST_FAIL] two tests fail: first and second #20',
      '[19Z] [SESSION-2] ROLLBACK [2] to ba5e000 (work kept as deadbee) #20',
      '[20Z] [SESSION-2] WARN the disk is nearly full #21',
      '[21Z] [SESSION-2] LOCK released (worker=w1 reason="session-limit") #22',
      '[21Z] [SESSION-2] STATS tasks_total=3 completed=1 failed=0 pending=2 blocked=0 attempts_total=2 checkpoints=0 #22',
    ]);
  });

  it('keeps whatever a message holds on one line that names its event', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const event: HarnessEvent = { type: 'note.added', level: 'critical', text };
        for (const stored of store([event])) {
          for (const { text: line } of getProgressLines(createState(), stored)) {
            expect(line.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(1);
            expect(getProgressLineSeq(line)).toBe(1);
          }
        }
      }),
    );
  });
});
