import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch(isTty: boolean) {
  const lines: string[] = [];
  const drawn: string[] = [];
  const progress = createProgress({ isTty, err: text => lines.push(text) }, Date.now, text =>
    drawn.push(text),
  );
  return { progress, lines, drawn };
}

describe('progress', () => {
  it('tells a log soon after the start and every half minute, with the last line that was printed', () => {
    const { progress, lines } = watch(false);
    progress.phase('task 1, preflight');
    const end = progress.begin('npm ci');
    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual([]);
    progress.printed('\u001b[32madded 3 packages\u001b[0m');
    vi.advanceTimersByTime(62_000);
    expect(lines).toEqual([
      '  0:02  task 1, preflight: npm ci  | added 3 packages',
      '  0:32  task 1, preflight: npm ci  | added 3 packages',
      '  1:02  task 1, preflight: npm ci  | added 3 packages',
    ]);
    end();
    vi.advanceTimersByTime(90_000);
    expect(lines).toHaveLength(3);
  });

  it('says nothing in a log of a command that is over at once', () => {
    const { progress, lines } = watch(false);
    const end = progress.begin('true');
    vi.advanceTimersByTime(900);
    end();
    vi.advanceTimersByTime(90_000);
    expect(lines).toEqual([]);
  });

  it('moves one line on a terminal, and takes it away before a line that stays', () => {
    const { progress, drawn } = watch(true);
    progress.begin('npm test');
    vi.advanceTimersByTime(3_000);
    expect(drawn.filter(text => text.includes('npm test')).at(-1)).toBe('  0:03  npm test');
    progress.clear();
    expect(drawn.at(-1)).toBe('\r\u001b[2K');
  });

  it('knows what was running when somebody stops it', () => {
    const { progress } = watch(false);
    expect(progress.running()).toBeNull();
    progress.begin('npm ci');
    vi.advanceTimersByTime(64_000);
    expect(progress.running()).toBe('npm ci was running (1:04)');
  });
});
