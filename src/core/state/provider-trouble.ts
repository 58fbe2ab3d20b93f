import type { AgentErrorKind } from '../model/agent-event.ts';
import type { Attempt } from './attempt.ts';

/** What is known of a provider that failed. */
export interface FailedProvider {
  readonly kind: AgentErrorKind;
  readonly message: string;
  readonly count: number;
  readonly untilMs: number | null;
}

/** Providers as several agents at once meet them: all of them spend one account's limits. */
export interface ProviderTrouble {
  /** That failed and have not worked since. */
  readonly providers: Map<string, FailedProvider & { readonly failedAtMs: number }>;
  /** Where one has said that there are too many of us: how many were let in from when on. */
  readonly crowds: Map<string, { readonly atOnce: number; readonly sinceMs: number }>;
}

interface WithProviders {
  readonly active: ReadonlyMap<string, Pick<Attempt, 'stage' | 'agent'>>;
  readonly trouble: ProviderTrouble;
}

/** A limit that was hit is halved, and grows by one again after each of these. */
const GROWS_EVERY_MS = 600_000;

export function noteFailed(
  state: WithProviders,
  { provider, ...failed }: FailedProvider & { readonly provider: string },
  atMs: number,
): void {
  const { providers, crowds } = state.trouble;
  providers.set(provider, { ...failed, failedAtMs: atMs });
  if (failed.kind !== 'rate_limit') return;
  const atOnce = Math.max(1, Math.floor(countSessions(state, provider) / 2));
  crowds.set(provider, { atOnce, sinceMs: atMs });
}

/** It works again: a session that began before it failed says nothing of that. */
export function noteWorked(
  { trouble: { providers } }: WithProviders,
  { agent }: Pick<Attempt, 'agent'>,
): void {
  const { provider, startedAtMs } = agent;
  const failed = provider === null ? undefined : providers.get(provider);
  if (provider !== null && failed && (startedAtMs ?? 0) >= failed.failedAtMs) providers.delete(provider);
}

/** Whether one more session would be too many: one alone finds out whether the provider is back. */
export function isCrowded(state: WithProviders, provider: string, nowMs: number): boolean {
  const sessions = countSessions(state, provider);
  if (sessions === 0) return false;
  if ((state.trouble.providers.get(provider)?.untilMs ?? null) !== null) return true;
  const crowd = state.trouble.crowds.get(provider);
  if (!crowd) return false;
  return sessions >= crowd.atOnce + Math.floor((nowMs - crowd.sinceMs) / GROWS_EVERY_MS);
}

function countSessions({ active }: WithProviders, provider: string): number {
  return [...active.values()].filter(
    ({ stage, agent }) => stage === 'in-session' && agent.provider === provider,
  ).length;
}
