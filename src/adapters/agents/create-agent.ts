import { HarnessError } from '../../core/failure.ts';
import type { Agent, Clock, Shell } from '../../ports.ts';
import type { SpawnOwner } from '../process/spawn-contained.ts';
import { createCommandAgent } from './command.ts';
import { createScriptedAgent } from './scripted.ts';

export interface AgentOptions {
  readonly provider: string;
  /** Needed by `command`. */
  readonly command?: string | null | undefined;
  /** Absolute; needed by `scripted`. */
  readonly scriptPath: string;
  readonly passEnv?: readonly string[];
  readonly readPrefixes?: boolean;
}

export interface AgentTools {
  readonly owner: SpawnOwner;
  readonly shell: Shell;
  readonly clock: Clock;
}

/** The agent that the config names, or an error that says which ones there are. */
export function createAgent(options: AgentOptions, tools: AgentTools): Agent {
  switch (options.provider) {
    case 'scripted':
      return createScriptedAgent({ scriptPath: options.scriptPath, shell: tools.shell, clock: tools.clock });
    case 'command':
      return createCommandAgent({
        owner: tools.owner,
        command: getCommand(options),
        ...(options.passEnv ? { passEnv: options.passEnv } : {}),
        ...(options.readPrefixes === undefined ? {} : { readPrefixes: options.readPrefixes }),
      });
    default:
      throw new HarnessError('config', `The agent "${options.provider}" is not in this version.`, {
        field: 'agent.provider',
        fix: 'Set agent.provider to "command" (any program) or "scripted" (the embedded one).',
      });
  }
}

function getCommand(options: AgentOptions): string {
  if (options.command?.trim()) return options.command;
  throw new HarnessError('config', 'The agent "command" needs a command to start.', {
    field: 'agent.command',
    fix: 'Set agent.command, such as "./agent.sh".',
  });
}
