import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../app/run/run-tasks.ts';
import { getRunExitCode, getStopText } from './run-end.ts';

const QUESTION = 'attempts-1-3';
const end = (outcome: string) => ({ task: '1', outcome, reason: '' });
const report = (more: Partial<RunResult>): RunResult => ({
  ...{ stopped: 'nothing-ready', attempts: [], questions: [], handedOff: [], notes: [] },
  ...more,
});

describe('the exit code of a run', () => {
  it.each<[string, Partial<RunResult>, number]>([
    ['a question is left, whatever about', { questions: [QUESTION] }, 7],
    [
      'the last attempt failed and a question is left',
      { attempts: [end('failed')], questions: [QUESTION] },
      7,
    ],
    [
      'the same, within a number of attempts',
      { stopped: 'session-limit', attempts: [end('failed')], questions: [QUESTION] },
      7,
    ],
    ['only a task is left that somebody does by hand', { handedOff: ['1'] }, 7],
    ['something is unproven and nobody is asked', { attempts: [end('failed')] }, 5],
    ['what was asked for has landed', { stopped: 'session-limit', attempts: [end('landed')] }, 0],
    [
      'what was asked for has landed, and a question is open',
      { stopped: 'session-limit', attempts: [end('landed')], questions: [QUESTION] },
      7,
    ],
    ['everything has landed, and a question is open', { stopped: 'all-done', questions: [QUESTION] }, 7],
    ['the budget stopped it, and asks', { stopped: 'budget', questions: [QUESTION] }, 6],
    ['the ground is broken, and asks', { stopped: 'environment', questions: [QUESTION] }, 1],
    [
      'one of the attempts did not land',
      { stopped: 'session-limit', attempts: [end('rejected')], handedOff: ['2'] },
      5,
    ],
    [
      'what was asked for has landed, and something else is open again',
      { stopped: 'session-limit', attempts: [end('landed')], reopened: [{ task: '1', reason: '' }] },
      5,
    ],
    ['it went round in circles', { stopped: 'stale' }, 5],
    ['it is paused', { stopped: 'paused' }, 7],
  ])('when %s', (_, more, code) => {
    expect(getRunExitCode(report(more))).toBe(code);
  });
});

it('says after how many attempts a run stopped', () => {
  const stopped = 'session-limit';
  expect(getStopText({ stopped, attempts: [end('landed')] })).toBe('stopped after 1 attempt');
  expect(getStopText({ stopped, attempts: [end('landed'), end('rejected')] })).toBe(
    'stopped after 2 attempts',
  );
});
