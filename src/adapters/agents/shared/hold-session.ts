import type { OptionalPackage } from '../../../core/model/provider.ts';
import type { Usage } from '../../../core/model/usage.ts';
import type { AgentEvent, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { openRun, type Run, type RunOptions } from '../../process/open-run.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';
import type { Ending } from './ending.ts';
import { loadPackage } from './optional-package.ts';
import type { AgentSettings, Driver } from './provider.ts';
import { type SessionEnd, type SessionWatch, watchSession } from './watch-session.ts';

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
export interface SessionParts<Sdk, Reader extends { usage(): Usage }, Told> {
  readonly sdk: OptionalPackage;
  /** What its processes see besides the usual. */
  getEnvironment(): Pick<RunOptions, 'passEnv' | 'env'>;
  /** Turns what the agent says into events as it comes, and counts what is used. */
  read(session: Session<Sdk>): Reader;
  /** Talks with the agent until it has left, or until the watch says that this takes too long. */
  talk(session: Session<Sdk>, reader: Reader): Promise<Told>;
  /** What its end means: only what the agent itself said is a claim. */
  getEnding(story: Story<Reader, Told>): Ending & Pick<AgentResult, 'sessionId'>;
}

/** All that is known of a session when it is over. */
export interface Story<Reader, Told> {
  readonly request: SessionRequest;
  readonly reader: Reader;
  /** What came of the talk; null when the session was over before it began. */
  readonly told: Told | null;
  /** Who ended it from outside. */
  readonly end: SessionEnd | null;
}

export interface SdkAgentOptions extends Pick<AgentSettings, 'graceMs'> {
  readonly owner: SpawnOwner;
  /** The user's checkout, where their packages are looked for. */
  readonly projectRoot: string;
}

/** An agent that is driven by an SDK: loaded, opened, watched, talked with, read and closed. */
export function createSdkAgent<Sdk, Reader extends { usage(): Usage }, Told>(
  { owner, projectRoot, graceMs }: SdkAgentOptions,
  parts: SessionParts<Sdk, Reader, Told>,
): Driver {
  return {
    run: async (request, emit) => {
      const sdk = await loadPackage<Sdk>(parts.sdk, projectRoot);
      const grace = graceMs === undefined ? {} : { graceMs };
      const run = await openRun(owner, { ...parts.getEnvironment(), ...grace });
      try {
        return await holdSession({ sdk, request, run, watch: watchSession(request, run.stop), emit }, parts);
      } finally {
        await run.close();
      }
    },
  };
}

async function holdSession<Sdk, Reader extends { usage(): Usage }, Told>(
  session: Session<Sdk>,
  parts: SessionParts<Sdk, Reader, Told>,
): Promise<AgentResult> {
  const { request, watch, emit } = session;
  try {
    const reader = parts.read(session);
    const told = watch.end() ? null : await parts.talk(session, reader);
    const ending = parts.getEnding({ request, reader, told, end: watch.end() });
    if (ending.failure) emit({ type: 'error', kind: ending.failure.kind, message: ending.failure.message });
    return { ...ending, usage: reader.usage() };
  } finally {
    watch.close();
  }
}
