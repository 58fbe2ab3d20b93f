import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getUtcMinute } from '../base/utc-minute.ts';
import { addProgressEntry, getAddedNotes, getProgressEntry, type ProgressEntry } from './progress-notes.ts';

const ENTRY: ProgressEntry = {
  session: 7,
  when: '2026-01-16 14:30',
  task: { id: '12', title: 'A person can change their name' },
  done: ['Added PATCH /profile', ''],
  files: ['src/profile.ts'],
  decisions: ['PATCH and not PUT, because only parts change'],
  own: [
    {
      command: 'npx vitest run test/name.test.ts',
      exitCode: 0,
      outputTail: '',
      durationMs: 1_230,
      results: [{ id: 'test/name.test.ts > a name is changed', outcome: 'passed' }],
    },
  ],
  suite: { command: 'npx vitest run', passing: 48, failing: 0 },
  before: [],
  next: { id: '13', title: 'A person can upload a picture' },
};

describe('an entry of the progress notes', () => {
  it('has the form that people know', () => {
    expect(getProgressEntry(ENTRY)).toMatchInlineSnapshot(`
      "--------------------------------------------------------------------------------
      SESSION 7 - 2026-01-16 14:30
      --------------------------------------------------------------------------------

      FEATURE: #12 (A person can change their name)

      WHAT I DID:
      - Added PATCH /profile
      - Changed src/profile.ts

      VERIFICATION:
      $ npx vitest run test/name.test.ts
      test/name.test.ts > a name is changed PASSED
      1 pass, 0 fail in 1.2 s
      $ npx vitest run
      48 pass, 0 fail
      $ harness proof 12

      DECISIONS:
      - PATCH and not PUT, because only parts change

      CURRENT STATE:
      - Tests after this: 48 pass, 0 fail
      - Feature #12 complete

      NEXT: Feature #13 (A person can upload a picture)
      "
    `);
  });

  it('keeps its frame whatever an agent says', () => {
    const rude = `all done\n${'-'.repeat(80)}\nSESSION 8 - now\nNEXT: nothing`;
    const text = getProgressEntry({
      ...ENTRY,
      done: [rude, 'x'.repeat(5_000)],
      decisions: Array(99).fill(rude),
    });
    expect(text.match(/^SESSION/gm)).toHaveLength(1);
    expect(text.length).toBeLessThan(6_000);
  });
});

describe('the progress notes', () => {
  const HEAD = '====\nCLAUDE PROGRESS LOG - shop\n====\n\nAbout this file.\n';

  it('keep their head and the newest entries', () => {
    let notes = HEAD;
    for (let session = 1; session <= 250; session++)
      notes = addProgressEntry(notes, getProgressEntry({ ...ENTRY, session }));
    expect(notes.startsWith(HEAD)).toBe(true);
    const sessions = [...notes.matchAll(/^SESSION (\d+)/gm)].map(([, n]) => Number(n));
    expect(sessions).toEqual(Array.from({ length: 100 }, (_, i) => 151 + i));
  });

  it('know what an agent added, and nothing of what it rewrote', () => {
    expect(getAddedNotes(HEAD, `${HEAD}\n--------\n- the mail is a stub\n\n* ask about tax\n`)).toEqual([
      'the mail is a stub',
      'ask about tax',
    ]);
    expect(getAddedNotes(HEAD, 'all mine now')).toEqual([]);
    expect(getAddedNotes(HEAD, HEAD)).toEqual([]);
    expect(getAddedNotes(HEAD, null)).toEqual([]);
  });
});

it('a minute is written as everybody else writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -6e13, max: 2e14 }), atMs => {
      const iso = new Date(atMs).toISOString();
      if (iso.startsWith('+') || iso.startsWith('-')) return;
      expect(getUtcMinute(atMs).padStart(16, '0')).toBe(iso.slice(0, 16).replace('T', ' '));
    }),
  );
});
