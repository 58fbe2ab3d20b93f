import { HarnessError } from '../../core/base/failure.ts';
import {
  getProviderFacts,
  isProviderName,
  PROVIDER_NAMES,
  type ProviderName,
} from '../../core/model/provider.ts';
import type { Agent } from '../../ports/index.ts';
import { acp } from './acp/index.ts';
import { claude } from './claude/index.ts';
import { codex } from './codex/index.ts';
import { command } from './command/index.ts';
import { scripted } from './scripted/index.ts';
import type { AgentSettings, AgentTools, Driver, Provider } from './shared/provider.ts';

/** Every provider there is: a folder each. */
export const PROVIDERS = { scripted, command, claude, codex, acp } satisfies Record<ProviderName, Provider>;

/** The provider of that name, or an error that says which ones there are. */
export function getProvider(name: string): Provider {
  if (isProviderName(name)) return PROVIDERS[name];
  throw new HarnessError('config', `The agent "${name}" is not in this version.`, {
    field: 'agent.provider',
    fix: `Set agent.provider to one of ${PROVIDER_NAMES.join(', ')}.`,
  });
}

/** The agent that the configuration names; throws when it lacks the command to start it by. */
export function createAgent(name: string, settings: AgentSettings, tools: AgentTools): Agent {
  const provider = getProvider(name);
  const { command: example } = getProviderFacts(provider.name);
  if (example !== null && !settings.command?.trim()) {
    throw new HarnessError('config', `The agent "${name}" needs a command to start.`, {
      field: 'agent.command',
      fix: `Set agent.command, such as "${example}".`,
    });
  }
  return openAgent(provider, () => provider.create(settings, tools));
}

/** An agent whose code is loaded when it is first asked to work. */
export function openAgent(
  { name, capabilities, reportsTools }: Provider,
  load: () => Promise<Driver>,
): Agent {
  let loaded: Promise<Driver> | undefined;
  return {
    provider: name,
    ...(capabilities ? { capabilities } : {}),
    ...(reportsTools === undefined ? {} : { reportsTools }),
    run: async (request, onEvent) => {
      loaded ??= load();
      return await (await loaded).run(request, onEvent);
    },
  };
}
