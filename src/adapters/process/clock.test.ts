import { afterEach, describe, expect, it, vi } from 'vitest';
import { getAwakeMs, setAwakeTimeout } from './clock.ts';

let nowMs = 1_000_000;
const pass = (ms: number): number => {
  nowMs += ms;
  return getAwakeMs();
};

describe('time awake', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('counts what is seen to pass, and not an hour in which nothing ran', () => {
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const start = pass(0);
    for (let second = 0; second < 10; second++) pass(1_000);
    expect(pass(0) - start).toBe(10_000);
    expect(pass(3_600_000) - start).toBe(11_000);
    expect(pass(4_000) - start).toBe(15_000);
  });

  it('gives a limit back the time that was slept through', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    pass(0);
    const fired = vi.fn();
    setAwakeTimeout(fired, 60_000);
    pass(3_600_000);
    vi.advanceTimersByTime(60_000);
    expect(fired).not.toHaveBeenCalled();
    for (let second = 0; second < 60; second++) pass(1_000);
    vi.advanceTimersByTime(60_000);
    expect(fired).toHaveBeenCalledTimes(1);
  });
});
