import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchSession } from './hold-session.ts';

describe('watching a session', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function watch(timeoutMs = 60_000) {
    const signal = new AbortController();
    const interrupt = new AbortController();
    const stop = vi.fn();
    const session = watchSession({ signal: signal.signal, interrupt: interrupt.signal, timeoutMs }, stop);
    return { signal, interrupt, stop, session };
  }

  test('the first hard reason is the one that counts', () => {
    const { signal, interrupt, stop, session } = watch();
    interrupt.abort();
    expect(session.end()).toBe('interrupted');
    expect(stop).not.toHaveBeenCalled();
    signal.abort();
    expect(session.end()).toBe('cancelled');
    vi.advanceTimersByTime(60_000);
    expect(session.end()).toBe('cancelled');
  });

  test('an agent that does not mind an interrupt is stopped', () => {
    const { interrupt, stop, session } = watch();
    const ask = vi.fn(async () => {
      throw new Error('closed');
    });
    session.onInterrupt(ask);
    interrupt.abort();
    expect(ask).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(5_000);
    expect(stop).toHaveBeenCalled();
  });

  test('an interrupt that came before the agent could hear it is passed on', () => {
    const { interrupt, session } = watch();
    interrupt.abort();
    const ask = vi.fn(async () => undefined);
    session.onInterrupt(ask);
    expect(ask).toHaveBeenCalledOnce();
    expect(session.end()).toBe('interrupted');
  });

  test('an SDK that notices nothing is not waited for', async () => {
    const { stop, session } = watch(1_000);
    vi.advanceTimersByTime(1_000);
    expect(session.end()).toBe('timeout');
    expect(stop).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    await expect(session.overdue).resolves.toBeUndefined();
  });

  test('after its end nothing is stopped any more', () => {
    const { signal, stop, session } = watch();
    session.finish();
    session.close();
    signal.abort();
    vi.advanceTimersByTime(120_000);
    expect(stop).not.toHaveBeenCalled();
  });
});
