import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getChangedLines, getReworded } from './changed-lines.ts';

describe('getChangedLines', () => {
  it.each<[string, string | null, string, readonly number[]]>([
    ['nothing', 'a\nb\n', 'a\nb\n', []],
    ['every line of a new file', null, 'a\nb\n', [1, 2]],
    ['an inserted line', 'a\nc\n', 'a\nb\nc\n', [2]],
    ['a replaced line', 'a\nb\nc\n', 'a\nx\nc\n', [2]],
    ['no line where one was deleted', 'a\nb\nc\n', 'a\nc\n', []],
    ['two places', 'a\nb\nc\nd\n', 'x\nb\nc\ny\n', [1, 4]],
    ['a moved line', 'a\nb\nc\n', 'b\nc\na\n', [3]],
    ['all of a rewritten file', 'a\n', 'x\ny\n', [1, 2]],
  ])('sees %s', (_, before, after, lines) => {
    expect(getChangedLines(before, after)).toEqual(lines);
  });

  it('never calls a line changed when the texts are the same, and leaves only lines that were there', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (was, now) => {
        const changed = new Set(getChangedLines(was.join('\n'), now.join('\n')));
        const rest = now.filter((_, i) => !changed.has(i + 1));
        let at = 0;
        for (const line of was) if (line === rest[at]) at++;
        expect(at).toBe(rest.length);
        expect(getChangedLines(was.join('\n'), was.join('\n'))).toEqual([]);
      }),
    );
  });

  it('takes all that differs for changed when the texts are too long to compare', () => {
    const before = Array.from({ length: 3_000 }, (_, i) => `old ${i}`).join('\n');
    const after = Array.from({ length: 3_000 }, (_, i) => `new ${i}`).join('\n');
    expect(getChangedLines(before, after)).toHaveLength(3_000);
  });
});

describe('getReworded', () => {
  it.each<[string, string, string, readonly number[]]>([
    ['leaves out what was only set in', 'if a:\n  b\n', 'if a:\n    b\nc\n', [3]],
    ['keeps it where nothing else was changed', 'a\nb\n', 'a\n  b\n', [2]],
    ['keeps new lines', 'a\n', 'a\nb\n', [2]],
  ])('%s', (_, before, after, lines) => {
    expect(getReworded(before, after)).toEqual(lines);
  });
});
