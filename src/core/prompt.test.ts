import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { failing, foldAll, landing, synced, upTo } from '../../test/support/corridor.ts';
import { makeTask } from '../../test/support/history.ts';
import type { HarnessEvent } from './event.ts';
import { getOrientation } from './orientation.ts';
import { getPrompt } from './prompt.ts';
import type { State, TaskState } from './state.ts';

const TITLE = 'Let a person reset a forgotten password by mail';

/** A project half done; the last task depends on all before it. */
function makeProject(count: number): State {
  const ids = Array.from({ length: count }, (_, i) => String(i + 1));
  const tasks = ids.map((id, i) => ({
    ...makeTask(id, i === count - 1 ? ids.slice(0, -1) : []),
    title: TITLE,
  }));
  const done = ids.slice(0, count / 2).flatMap((id, i) => landing(id, { session: i + 1 }));
  const measured: HarnessEvent = {
    type: 'baseline.measured',
    tree: 't',
    command: 'npm test',
    passing: ids,
    failing: [],
  };
  return foldAll(synced(tasks), measured, done);
}

function getTask(state: State, id: string): TaskState {
  return state.tasks.get(id) as TaskState;
}

function getTokens(text: string): number {
  return text.length / 4;
}

describe('the orientation', () => {
  const fifty = makeProject(50);
  const thousand = makeProject(1_000);

  it.each([
    ['the first task of 50', fifty, '1'],
    ['a task of 50 that builds on all the others', fifty, '50'],
    ['a task of 1,000 that builds on all the others', thousand, '1000'],
  ])('takes no more than 500 tokens for %s', (_, state, id) => {
    expect(getTokens(getOrientation(state, getTask(state, id)))).toBeLessThanOrEqual(500);
  });

  it('does not grow with the project, but for the digits of its numbers', () => {
    const [small, large] = [
      getOrientation(fifty, getTask(fifty, '50')),
      getOrientation(thousand, getTask(thousand, '1000')),
    ];
    expect(large.length - small.length).toBeLessThan(40);
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
    const text = getOrientation(state, getTask(state, '2'));
    for (const part of [
      '1/2 tasks landed (50%)',
      `**Task 2:** ${TITLE}`,
      'tests/2.test.ts',
      '`make check`',
      '1 (Build part 1)',
      'package.json',
      '- mail arrives',
      'Last landed: task 1 as landed-1',
    ])
      expect(text).toContain(part);
  });

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
    const text = getOrientation(state, getTask(state, '1'));
    expect(text).toContain('## Attempt 2 did not land');
    expect(text).toContain('two tests got worse');
    expect(text).not.toContain('it was rejected');
    expect(text.match(/- finding/g)).toHaveLength(20);
    expect(text).not.toContain('still in your working directory');
  });

  it.each([
    ['promises the files of an interrupted attempt when they are there', 'rebased work', true],
    ['does not when they no longer fitted onto the base', 'base', false],
  ])('%s', (_, start, promised) => {
    const [leased, prepared] = upTo('prepared', '1', { attempt: 2, wip: 'w' });
    const state = foldAll(synced([makeTask('1')]), failing('1', 'partial', { wip: 'w' }), leased ?? []);
    if (prepared?.type !== 'attempt.prepared') throw new Error('not prepared');
    const attempt = state.active.get('1');
    if (attempt) attempt.checkpoint = { ...prepared.checkpoint, commit: start };
    expect(getOrientation(state, getTask(state, '1')).includes('still in your working directory')).toBe(
      promised,
    );
  });
});

describe('the prompt', () => {
  it('begins with the same bytes for every task of a project, so that a cache can hold them', () => {
    const state = foldAll(synced([makeTask('1'), makeTask('2')]), landing('1'));
    const fresh = foldAll(synced([makeTask('1')]));
    const prompts = [
      getPrompt(fresh, getTask(fresh, '1'), simPolicy),
      getPrompt(state, getTask(state, '2'), simPolicy),
      getPrompt(makeProject(50), getTask(makeProject(50), '50'), simPolicy),
    ];
    const rules = prompts.map(prompt => prompt.slice(0, prompt.indexOf('## Current state')));
    expect(new Set(rules).size).toBe(1);
    expect(rules[0]?.length).toBeGreaterThan(500);
    expect(rules[0]).not.toMatch(/\d{2,}/);
  });

  it('tells the agent that its word decides nothing', () => {
    const state = foldAll(synced([makeTask('1')]));
    expect(getPrompt(state, getTask(state, '1'), simPolicy)).toContain(
      'Your word starts the check and decides nothing',
    );
  });
});
