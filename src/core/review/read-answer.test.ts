import { describe, expect, it } from 'vitest';
import { found } from '../../../test/support/review-answers.ts';
import { readAnswer } from './read-answer.ts';

describe('readAnswer', () => {
  it('takes a list of findings, the gravest first', () => {
    const answer = found(
      { severity: 'low' },
      { severity: 'critical', file: './src/a.js', criterion: 'a step' },
    );
    const [first, second] = readAnswer(answer, '') ?? [];
    expect(first).toMatchObject({ severity: 'critical', file: 'src/a.js', criterion: 'a step', line: 1 });
    expect(second).toMatchObject({ severity: 'low', file: null });
    expect(readAnswer(found(), '')).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['another form', { verdict: 'approve', findings: ['x'] }],
    ['no list', { findings: 'none' }],
    ['a severity that is none', found({ severity: 'blocker' as 'low' })],
    ['a finding that says nothing', found({ claim: ' ' })],
  ])('does not take %s for an answer', (_, answer) => {
    expect(readAnswer(answer, 'No findings.')).toBeNull();
  });

  it.each<[string, string, number | null]>([
    ['one line', 'No findings.', 0],
    ['a line after others', 'I checked a and b.\n\n**No blocking findings.**\n', 0],
    ['the line of a merge check', 'No findings. Ready to enable auto-merge.', 0],
    ['a line that goes on', 'No findings. Except one.', null],
    ['an example', '```\nNo findings.\n```', null],
    ['a quote', '> No findings.', null],
    ['nothing', '', null],
    ['a finding, and the line below it', '- **High**: src/a.js breaks\n\nNo blocking findings.', 1],
    ['two findings', '## Critical: one\n2. Low — two', 2],
    ['a finding in an example', '```\nHigh: one\n```\nNo findings.', 0],
  ])('reads words: %s', (_, said, count) => {
    expect(readAnswer(undefined, said)?.length ?? null).toBe(count);
  });
});
