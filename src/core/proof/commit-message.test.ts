import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { getAttemptRef, getCommitMessage, getSafeName } from './commit-message.ts';

const make = (title: string, id = '7') => getCommitMessage({ ...makeTask(id), title }, 2);

/** Letters that titles and ids trip over. */
const unit = fc.constantFrom(...'aB7 \n\t:#-_+./~^@{}', '🙂', 'é', '\u2028', '\ud800');

/** What git itself takes for the trailers of a message. */
function readTrailers(message: string): string {
  return execFileSync('git', ['interpret-trailers', '--parse'], { input: message, encoding: 'utf8' });
}

describe('getCommitMessage', () => {
  it.each([
    ['a plain title', 'Add login'],
    ['a title of two lines', 'Add login\nand logout'],
    ['a title that looks like a trailer', 'Harness-Task: 9'],
    ['a title with a paragraph that looks like one', 'Add login\n\nHarness-Task: 9\nHarness-Attempt: 1'],
    ['an empty title', '  '],
    ['a comment', '# not a comment'],
    ['a long title', 'word '.repeat(60)],
  ])('carries trailers that git reads, after %s', (_, title) => {
    expect(readTrailers(make(title))).toBe('Harness-Task: 7\nHarness-Attempt: 2\n');
  });

  it('has a subject of one line, at most 72 letters long, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200, size: 'max' }), title => {
        const [subject = '', blank, ...trailers] = make(title).split('\n');
        expect([...subject].length).toBeGreaterThan(0);
        expect([...subject].length).toBeLessThanOrEqual(72);
        expect(blank).toBe('');
        expect(trailers).toEqual(['Harness-Task: 7', 'Harness-Attempt: 2', '']);
      }),
    );
  });

  it('cuts between letters, not through one', () => {
    const [subject = ''] = make('🙂'.repeat(100)).split('\n');
    expect(subject).toBe(`${'🙂'.repeat(71)}…`);
  });
});

describe('getAttemptRef', () => {
  it.each(['1', 'task-001', 'a b', 'a..b', '.', '..', 'x.lock', 'a/b', 'ä', '🙂', '-x', 'a@{b', 'a~1', '*'])(
    'is a name that git takes, for %s',
    id => {
      const ref = `refs/harness/${getAttemptRef(id, 3)}`;
      expect(() => execFileSync('git', ['check-ref-format', ref])).not.toThrow();
      expect(ref).toMatch(/\/3$/);
    },
  );

  it('leaves plain ids as they are', () => {
    expect(getAttemptRef('task-001_b', 1)).toBe('attempts/task-001_b/1');
  });
});

describe('getSafeName', () => {
  it('gives no two ids the same name, and no name that leads anywhere', () => {
    const id = fc.oneof(fc.string({ unit }), fc.stringMatching(/^[ab+./ _2e]{0,6}$/));
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(getSafeName(a) === getSafeName(b)).toBe(a === b);
        expect(getSafeName(a)).toMatch(/^[A-Za-z0-9_+-]*$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
