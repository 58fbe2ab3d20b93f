import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import { getProviders } from '../core/model/policy.ts';
import type { Journal } from '../loop/journal.ts';
import type { Agent, Ports } from '../ports/index.ts';

/** Providers that will not be had without a person, and why. */
export type Halted = Map<string, Halt>;

interface Halt {
  readonly kind: 'auth' | 'provider';
  readonly why: string;
}

interface Chain {
  readonly ports: Pick<Ports, 'agent' | 'fallbacks' | 'store' | 'clock' | 'reporter'>;
  readonly policy: Policy;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** The first provider of the planner's chain that can be had, waiting for one where that is a matter of time. */
export async function findPlannerAgent(ctx: Chain, halted: ReadonlyMap<string, Halt>): Promise<Agent> {
  const { ports, policy, journal, signal } = ctx;
  for (;;) {
    signal.throwIfAborted();
    const nowMs = await ports.store.nowMs();
    const chain = getProviders(policy, 'planner').filter(name => !halted.has(name));
    const waits = chain.map(name => journal.state.trouble.providers.get(name)?.untilMs ?? 0);
    const free = chain.find((_, i) => (waits[i] ?? 0) <= nowMs);
    if (free !== undefined) return getAgent(ports, free);
    if (chain.length === 0) throw getNobodyError(halted);
    const untilMs = Math.min(...waits);
    ports.reporter.phase(null, `waiting for ${chain.join(', ')} until ${new Date(untilMs).toISOString()}`);
    await ports.clock.sleep(Math.min(untilMs - nowMs, 30_000), signal);
  }
}

function getAgent({ agent, fallbacks = [] }: Chain['ports'], provider: string): Agent {
  return [agent, ...fallbacks].find(one => one.provider === provider) ?? agent;
}

function getNobodyError(halted: ReadonlyMap<string, Halt>): HarnessError {
  const names = [...halted.keys()].join(', ');
  if ([...halted.values()].some(({ kind }) => kind === 'auth')) {
    return new HarnessError('auth', `no plan: ${names} did not accept the login`, {
      fix: 'log the agent in (harness doctor says how) and ask again',
    });
  }
  const whys = [...halted.values()].map(({ why }) => why).join('; ');
  return new HarnessError('environment', `no plan: ${names} cannot be had: ${whys}`, {
    fix: 'harness doctor says what is missing; or name another agent with --agent',
  });
}
