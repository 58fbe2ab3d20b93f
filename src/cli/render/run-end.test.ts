import { describe, expect, it } from 'vitest';
import type { OpenQuestion } from '../../core/model/question.ts';
import type { RunReport } from '../../loop/loop.ts';
import { getRunExitCode, getStopText } from './run-end.ts';

const QUESTION = { id: 'attempts-1-3', kind: 'attempts', task: '1' } as OpenQuestion;
const end = (outcome: string) => ({ task: '1', outcome, reason: '' });
const report = (more: Partial<RunReport>): RunReport => ({
  ...{ why: 'nothing-ready', ended: [], questions: [], handedOff: [], reopened: [] },
  ...more,
});

describe('the exit code of a run', () => {
  it.each<[string, Partial<RunReport>, number]>([
    ['a question is left, whatever about', { questions: [QUESTION] }, 7],
    ['the last attempt failed and a question is left', { ended: [end('failed')], questions: [QUESTION] }, 7],
    [
      'the same, within a number of attempts',
      { why: 'session-limit', ended: [end('failed')], questions: [QUESTION] },
      7,
    ],
    ['only a task is left that somebody does by hand', { handedOff: ['1'] }, 7],
    ['something is unproven and nobody is asked', { ended: [end('failed')] }, 5],
    [
      'what was asked for has landed',
      { why: 'session-limit', ended: [end('landed')], questions: [QUESTION] },
      0,
    ],
    [
      'one of the attempts did not land',
      { why: 'session-limit', ended: [end('rejected')], handedOff: ['2'] },
      5,
    ],
    [
      'what was asked for has landed, and something else is open again',
      { why: 'session-limit', ended: [end('landed')], reopened: [{ task: '1', reason: '' }] },
      5,
    ],
    ['it went round in circles', { why: 'stale' }, 5],
    ['it is paused', { why: 'paused' }, 7],
  ])('when %s', (_, more, code) => {
    expect(getRunExitCode(report(more))).toBe(code);
  });
});

it('one attempt that was asked for is no stop', () => {
  expect(getStopText({ why: 'session-limit', ended: [end('landed')] })).toBe('after one attempt, as asked');
  expect(getStopText({ why: 'session-limit', ended: [] })).not.toContain('stopped');
});
