import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { readSessionNote } from './toolbox.ts';

const makeDir = useTempDir();
const GOOD = { phase: 'half', completed: ['a'], next_step: 'b', critical_files: ['x'], memory_notes: '' };

function write(text: string): string {
  const worktree = makeDir();
  mkdirSync(join(worktree, 'state'));
  writeFileSync(join(worktree, 'state/handoff.json'), text);
  return worktree;
}

it('reads what an agent without tools left to say', async () => {
  expect(await readSessionNote(write(JSON.stringify(GOOD)))).toEqual({ sessionNote: GOOD });
  const short = { phase: 'half', next_step: 'b' };
  expect(await readSessionNote(write(JSON.stringify(short)))).toEqual({
    sessionNote: { ...short, completed: [], critical_files: [], memory_notes: '' },
  });
  expect(await readSessionNote(makeDir())).toBeNull();
});

it.each([
  ['broken JSON', '{"phase":', /JSON|input/],
  ['a list', '[]', /not an object/],
  ['a missing field', '{"phase":"x"}', /^next_step: /],
  ['a field of the wrong kind', JSON.stringify({ ...GOOD, completed: 'all' }), /^completed: /],
  ['a field nobody knows', JSON.stringify({ ...GOOD, run: 'rm -rf' }), /run/],
  ['too long a text', JSON.stringify({ ...GOOD, phase: 'x'.repeat(201) }), /^phase: /],
  ['too much', `${JSON.stringify(GOOD)}${' '.repeat(70_000)}`, /longer than/],
])('says why %s cannot be used', async (_, text, why) => {
  expect(await readSessionNote(write(text))).toMatchObject({ why: expect.stringMatching(why) });
});

it('follows no link', async () => {
  const elsewhere = write(JSON.stringify(GOOD));
  const worktree = makeDir();
  symlinkSync(join(elsewhere, 'state'), join(worktree, 'state'));
  expect(await readSessionNote(worktree)).toBeNull();
  const other = makeDir();
  mkdirSync(join(other, 'state'));
  symlinkSync(join(elsewhere, 'state/handoff.json'), join(other, 'state/handoff.json'));
  expect(await readSessionNote(other)).toBeNull();
});
