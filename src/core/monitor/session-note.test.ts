import { expect, it } from 'vitest';
import {
  createDigest,
  getMechanicalNote,
  getSummarisedNote,
  isProjectPath,
  needsSessionNote,
} from './session-note.ts';

it.each(['src/a.ts', 'a', '.env.example', 'src/..a'])('%s is a path of the project', path => {
  expect(isProjectPath(path)).toBe(true);
});

it.each([
  '',
  '/etc/passwd',
  '../a',
  'a/../../b',
  './a',
  'node_modules',
  '.git/config',
  'a//b',
  'a\\b',
  'a\0b',
])('%j is none', path => {
  expect(isProjectPath(path)).toBe(false);
});

it('is needed where somebody goes on, not where a claim, a question or the provider ended the session', () => {
  expect((['timeout', 'context', 'stuck', 'interrupted', 'not-done'] as const).every(needsSessionNote)).toBe(
    true,
  );
  expect((['claimed', 'asked', 'unavailable'] as const).some(needsSessionNote)).toBe(false);
});

it('counts a file once, by its path in the project, and not when it is gone again', () => {
  const digest = createDigest('/slot');
  for (const path of ['/slot/src/a.ts', 'src/b.ts', 'src/a.ts', 'src/c.ts'])
    digest.note({ type: 'file', action: 'write', path });
  digest.note({ type: 'file', action: 'delete', path: 'src/c.ts' });
  expect(getMechanicalNote(digest.get(), 'context')).toMatchObject({
    phase: 'the context of the agent was full',
    critical_files: ['src/b.ts', 'src/a.ts'],
  });
});

it('stays small however much happened', () => {
  const digest = createDigest('');
  for (let i = 0; i < 5_000; i++) {
    digest.note({ type: 'file', action: 'write', path: `f${i}` });
    digest.note({ type: 'command', command: 'x'.repeat(9_000), exitCode: 0, output: 'y'.repeat(9_000) });
    digest.note({ type: 'text', text: 'z'.repeat(9_000) });
  }
  expect(JSON.stringify(digest.get()).length).toBeLessThan(40_000);
  expect(JSON.stringify(getMechanicalNote(digest.get(), 'timeout')).length).toBeLessThan(5_000);
});

it('of a summariser is held to its sizes, and needs a next step', () => {
  const long = 'x'.repeat(9_000);
  const lists = { completed: Array(99).fill(long), critical_files: 'no list' };
  const made = getSummarisedNote({ phase: long, next_step: long, memory_notes: long, ...lists });
  expect(made?.completed).toHaveLength(20);
  expect(made?.critical_files).toEqual([]);
  expect(JSON.stringify(made).length).toBeLessThan(12_000);
  expect(getSummarisedNote({ phase: 'x' })).toBeNull();
  expect(getSummarisedNote(null)).toBeNull();
});
