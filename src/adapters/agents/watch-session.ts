import type { SessionRequest } from '../../ports.ts';

/** Why a session was ended from outside. */
export type SessionEnd = 'cancelled' | 'timeout' | 'interrupted';

export interface SessionWatch {
  /** Null as long as nobody asked for an end; a harder reason replaces `interrupted`. */
  end(): SessionEnd | null;
  /** How the agent is asked to end its turn; called at once when that has been asked already. */
  onInterrupt(ask: () => Promise<unknown>): void;
  /** The agent has said its last word: it is given a moment to leave by itself. */
  finish(): void;
  /** Resolves when the processes have been ended and their agent kit has still not noticed. */
  readonly overdue: Promise<void>;
  close(): void;
}

/** Ends a session of an agent kit when the caller stops it, its time is up, or its turn is to end. */
export function watchSession(
  request: Pick<SessionRequest, 'signal' | 'interrupt' | 'timeoutMs'>,
  stop: () => void,
): SessionWatch {
  const timers: NodeJS.Timeout[] = [];
  let end: SessionEnd | null = null;
  let ask: (() => Promise<unknown>) | null = null;
  let giveUp = (): void => undefined;
  const overdue = new Promise<void>(resolve => {
    giveUp = resolve;
  });

  function later(ms: number, action: () => void): void {
    timers.push(setTimeout(action, Math.min(ms, MAX_TIMER_MS)));
  }

  function stopNow(): void {
    stop();
    later(OVERDUE_MS, giveUp);
  }

  function stopFor(reason: 'cancelled' | 'timeout'): void {
    if (end === 'cancelled' || end === 'timeout') return;
    end = reason;
    stopNow();
  }

  function interrupt(): void {
    end ??= 'interrupted';
    // Rejects when the session is over already; what matters then has been said.
    ask?.().catch(() => undefined);
    later(LEAVE_MS, stopNow);
  }

  const onAbort = (): void => stopFor('cancelled');
  request.signal.addEventListener('abort', onAbort, { once: true });
  request.interrupt?.addEventListener('abort', interrupt, { once: true });
  if (request.signal.aborted) onAbort();
  later(request.timeoutMs, () => stopFor('timeout'));

  return {
    end: () => end,
    onInterrupt: how => {
      ask = how;
      if (request.interrupt?.aborted) interrupt();
    },
    finish: () => later(LEAVE_MS, stopNow),
    overdue,
    close: () => {
      for (const timer of timers) clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      request.interrupt?.removeEventListener('abort', interrupt);
    },
  };
}

/** Timers of more than 24 days would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** For writing down a session that has ended. */
const LEAVE_MS = 5_000;

/** Well after the grace between SIGTERM and SIGKILL. */
const OVERDUE_MS = 5_000;
