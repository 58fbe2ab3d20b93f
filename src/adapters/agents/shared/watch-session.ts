import type { SessionRequest } from '../../../ports/index.ts';
import { setAwakeTimeout } from '../../process/awake-time.ts';

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
  const cancels: (() => void)[] = [];
  let end: SessionEnd | null = null;
  let ask: (() => Promise<unknown>) | null = null;
  let giveUp = (): void => undefined;
  const overdue = new Promise<void>(resolve => {
    giveUp = resolve;
  });

  function later(ms: number, action: () => void): void {
    cancels.push(setAwakeTimeout(action, ms));
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
      for (const cancel of cancels) cancel();
      request.signal.removeEventListener('abort', onAbort);
      request.interrupt?.removeEventListener('abort', interrupt);
    },
  };
}

/** For writing down a session that has ended. */
const LEAVE_MS = 5_000;

/** Well after the grace between SIGTERM and SIGKILL. */
const OVERDUE_MS = 5_000;
