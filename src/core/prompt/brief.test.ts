import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeHalfDone, TITLE } from '../../../test/support/half-done.ts';
import { makeTask } from '../../../test/support/history.ts';
import { failing, foldAll, landing, synced, upTo } from '../../../test/support/pipeline.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { getBrief, getOrientation } from './brief.ts';

function getTask(state: State, id: string): TaskState {
  return state.tasks.get(id) as TaskState;
}

function orient(state: State, id: string): string {
  return getOrientation(state, getTask(state, id), simPolicy);
}

function brief(state: State, id: string, wip: Parameters<typeof getBrief>[3] = { wip: [] }): string {
  return getBrief(state, getTask(state, id), simPolicy, wip);
}

/** The bench counts with a tokenizer; four characters are one token, roughly. */
function getTokens(text: string): number {
  return text.length / 4;
}

describe('the orientation', () => {
  const fifty = makeHalfDone(50);
  const thousand = makeHalfDone(1_000);

  it.each([
    ['the first task of 50', fifty, '1'],
    ['a task of 50 that builds on all the others', fifty, '50'],
    ['a task of 1,000 that builds on all the others', thousand, '1000'],
  ])('takes no more than 500 tokens for %s', (_, state, id) => {
    expect(getTokens(orient(state, id))).toBeLessThanOrEqual(500);
  });

  it('names the command that counts', () => {
    expect(orient(fifty, '50')).toContain('**Run after your last change:** `');
  });

  it('does not grow with the project, but for the digits of its numbers', () => {
    const [small, large] = [orient(fifty, '50'), orient(thousand, '1000')];
    expect(large.length - small.length).toBeLessThan(small.length * 0.05);
  });

  it('says where the project stands, what to do and how it will be judged', () => {
    const task = {
      ...makeTask('2', ['1']),
      title: TITLE,
      verificationSteps: ['mail arrives'],
      validation: { command: 'make check', timeoutSeconds: 5 },
      mayChange: ['package.json'],
    };
    const state = foldAll(synced([makeTask('1'), task]), landing('1'));
    const text = orient(state, '2');
    for (const part of [
      '1/2 tasks landed (50%)',
      `**Task 2:** ${TITLE}`,
      'tests/2.test.ts',
      '`make check`',
      '1 (Build part 1) ✓',
      'package.json',
      '- mail arrives',
      '- Task 1 (Build part 1): landed as commit landed-1',
      '- src/a.ts (task 1, session 1, 10 lines)',
    ])
      expect(text).toContain(part);
  });

  it('tells the newest decisions and the files of what the task builds on', () => {
    const text = orient(fifty, '50');
    expect(text).toContain('**Health:** 50 tests pass on the base, 0 fail');
    expect(text).toContain('- src/mail/part-25.ts (task 25, session 25, 80 lines)');
    expect(text).toContain('- Session 25: tokens for part 25 are kept as hashes');
    expect(text).not.toContain('part 22');
    expect(text.match(/- src\//g)).toHaveLength(6);
    expect(orient(fifty, '26')).not.toContain('## Key files');
  });
});

describe('the brief', () => {
  it('tells why the last attempt did not land, and only of the last', () => {
    const findings = Array.from({ length: 30 }, (_, i) => `finding ${i}`);
    const state = foldAll(
      synced([makeTask('1')]),
      failing('1', 'rejected'),
      upTo('judged', '1', { attempt: 2, word: 'rejected' }),
      {
        type: 'attempt.ended',
        task: '1',
        attempt: 2,
        outcome: 'rejected',
        reason: 'two tests got worse',
        category: 'TEST_FAIL',
        wip: 'w',
        findings,
      },
    );
    const text = brief(state, '1');
    expect(text).toContain('## Attempt 2 did not land');
    expect(text).toContain('two tests got worse');
    expect(text).not.toContain('it was rejected');
    expect(text.match(/- finding/g)).toHaveLength(20);
    expect(text).not.toContain('still in your working directory');
  });

  it.each([
    ['names the files of an interrupted attempt when they are there', 'rebased work', true],
    ['does not when they no longer fitted onto the base', 'base', false],
  ])('%s', (_, start, promised) => {
    const [leased, prepared] = upTo('prepared', '1', { attempt: 2, wip: 'w' });
    const state = foldAll(synced([makeTask('1')]), failing('1', 'partial', { wip: 'w' }), leased ?? []);
    if (prepared?.type !== 'attempt.prepared') throw new Error('not prepared');
    const attempt = state.active.get('1');
    if (attempt) attempt.checkpoint = { ...prepared.checkpoint, commit: start };
    const wip = [{ path: 'src/half.ts', kind: 'added', lines: 12 }] as const;
    const text = brief(state, '1', { wip });
    expect(text.includes('still in your working directory')).toBe(promised);
    expect(text.includes('- src/half.ts (added, 12 lines now)')).toBe(promised);
  });

  it('hands on what an earlier session left to say, however silent those since', () => {
    const said = {
      phase: 'half way',
      completed: [],
      next_step: 'send the mail',
      critical_files: [],
      memory_notes: 'the mail server is a stub',
    };
    const silent = [1, 2].flatMap(number =>
      upTo('session-over', '1', { attempt: number, outcome: 'context' })
        .map(event => (event.type === 'session.ended' && number === 1 ? { ...event, handoff: said } : event))
        .concat(failing('1', 'partial', { attempt: number, wip: 'w' }).at(-1) ?? []),
    );
    const state = foldAll(synced([makeTask('1')]), ...silent);
    expect(brief(state, '1')).toMatch(/Attempt 1 left word:[\s\S]*send the mail[\s\S]*is a stub/);
  });

  it('hands on what the last session left to say', () => {
    const sessionNote = {
      phase: 'the form is there',
      completed: ['the page', 'the route'],
      next_step: 'send the mail',
      critical_files: ['src/mail.ts'],
      memory_notes: 'the mail server is a stub',
    };
    const [leased, prepared, ready, started, over] = upTo('session-over', '1', { outcome: 'context' });
    const state = foldAll(
      synced([makeTask('1')]),
      ...[leased, prepared, ready, started].map(event => event ?? []),
      over?.type === 'session.ended' ? { ...over, handoff: sessionNote } : [],
      failing('1', 'partial').at(-1) ?? [],
    );
    const text = brief(state, '1');
    for (const part of ['the form is there', '- the page', 'send the mail', 'src/mail.ts', 'is a stub'])
      expect(text).toContain(part);
  });
});
