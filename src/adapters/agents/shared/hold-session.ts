import type { OptionalPackage } from '../../../core/model/provider.ts';
import type { Usage } from '../../../core/model/usage.ts';
import type { AgentEvent, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { setAwakeTimeout } from '../../process/clock.ts';
import { openRun, type Run, type RunOptions } from '../../process/open-run.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';
import type { Ending, SessionEnd } from './ending.ts';
import { loadPackage } from './optional-package.ts';
import type { AgentSettings, Driver } from './provider.ts';

/** A session that is under way: all that a provider needs to talk with its agent. */
export interface Session<Sdk> {
  readonly sdk: Sdk;
  readonly request: SessionRequest;
  /** Where its processes are started; they are ended with the session. */
  readonly run: Run;
  readonly watch: SessionWatch;
  emit(event: AgentEvent): void;
}

/** What a provider brings to a session; the rest is the same for all that have an SDK. */
export interface SessionParts<Sdk, Reader extends { usage(): Usage }, LastTurn> {
  readonly sdk: OptionalPackage;
  /** What its processes see besides the usual. */
  getEnvironment(): Pick<RunOptions, 'passEnv' | 'env'>;
  /** Turns what the agent says into events as it comes, and counts what is used. */
  read(session: Session<Sdk>): Reader;
  /** Talks with the agent until it has left, or until the watch says that this takes too long. */
  talk(session: Session<Sdk>, reader: Reader): Promise<LastTurn>;
  /** What its end means: only what the agent itself said is a claim. */
  getEnding(story: Story<Reader, LastTurn>): Ending & Pick<AgentResult, 'sessionId'>;
}

/** All that is known of a session when it is over. */
export interface Story<Reader, LastTurn> {
  readonly request: SessionRequest;
  readonly reader: Reader;
  /** What came of the talk; null when the session was over before it began. */
  readonly lastTurn: LastTurn | null;
  /** Who ended it from outside. */
  readonly end: SessionEnd | null;
}

export interface SdkAgentOptions extends Pick<AgentSettings, 'graceMs'> {
  readonly owner: SpawnOwner;
  /** The user's checkout, where their packages are looked for. */
  readonly projectRoot: string;
}

/** An agent that is driven by an SDK: loaded, opened, watched, talked with, read and closed. */
export function createSdkAgent<Sdk, Reader extends { usage(): Usage }, LastTurn>(
  { owner, projectRoot, graceMs }: SdkAgentOptions,
  parts: SessionParts<Sdk, Reader, LastTurn>,
): Driver {
  return {
    run: async (request, emit) => {
      const sdk = await loadPackage<Sdk>(parts.sdk, projectRoot);
      const grace = graceMs === undefined ? {} : { graceMs };
      const { surroundings = {} } = request;
      const run = await openRun(owner, { ...parts.getEnvironment(), surroundings, ...grace });
      try {
        return await holdSession({ sdk, request, run, watch: watchSession(request, run.stop), emit }, parts);
      } finally {
        await run.close();
      }
    },
  };
}

async function holdSession<Sdk, Reader extends { usage(): Usage }, LastTurn>(
  session: Session<Sdk>,
  parts: SessionParts<Sdk, Reader, LastTurn>,
): Promise<AgentResult> {
  const { request, watch, emit } = session;
  try {
    const reader = parts.read(session);
    const lastTurn = watch.end() ? null : await parts.talk(session, reader);
    const ending = parts.getEnding({ request, reader, lastTurn, end: watch.end() });
    if (ending.failure) emit({ type: 'error', kind: ending.failure.kind, message: ending.failure.message });
    return { ...ending, usage: reader.usage() };
  } finally {
    watch.close();
  }
}

export interface SessionWatch {
  /** Null as long as nobody asked for an end; a harder reason replaces `interrupted`. */
  end(): SessionEnd | null;
  /** How the agent is asked to end its turn; called at once when that has been asked already. */
  onInterrupt(ask: () => Promise<unknown>): void;
  /** The agent has said its last word: it is given a moment to leave by itself. */
  finish(): void;
  /** Resolves when the processes have been ended and their agent SDK has still not noticed. */
  readonly overdue: Promise<void>;
  close(): void;
}

/** Ends a session of an agent’s SDK when the caller stops it, its time is up, or its turn is to end. */
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
