import { join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import type { Agent, Clock, Shell } from '../../ports/index.ts';
import type { SpawnOwner } from '../process/spawn-contained.ts';
import type { ClaudeSettings } from './claude/options.ts';
import { createCommandAgent, type MissingPrefixes } from './command/command.ts';
import { createScriptedAgent } from './scripted/scripted.ts';
import { CAPABILITIES } from './shared/capabilities.ts';

export interface AgentOptions {
  readonly provider: string;
  /** Needed by `command`. */
  readonly command?: string | null | undefined;
  /** Absolute; needed by `scripted`. */
  readonly scriptPath: string;
  readonly passEnv?: readonly string[];
  readonly readPrefixes?: boolean;
  readonly missingPrefixes?: MissingPrefixes;
  /** The user's checkout; agent kits are looked for there. */
  readonly projectRoot?: string;
  readonly model?: string;
  readonly shellTimeoutMs?: number;
  /** Whether settings, servers and instructions that the repository brings are taken. */
  readonly trustRepo?: boolean;
  /** Asked by agents that ask before they run a command. */
  readonly refuse?: (command: string) => string | null;
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
        ...(options.projectRoot === undefined ? {} : { projectRoot: options.projectRoot }),
        ...(options.passEnv ? { passEnv: options.passEnv } : {}),
        ...(options.readPrefixes === undefined ? {} : { readPrefixes: options.readPrefixes }),
        ...(options.missingPrefixes === undefined ? {} : { missingPrefixes: options.missingPrefixes }),
      });
    case 'claude':
      return createLazyAgent('claude', async () => {
        const { createClaudeAgent } = await import('./claude/claude.ts');
        return createClaudeAgent({ ...getKitOptions(options), owner: tools.owner });
      });
    case 'codex':
      return createLazyAgent('codex', async () => {
        const [{ createCodexAgent }, { getCacheDir }] = await Promise.all([
          import('./codex/codex.ts'),
          import('../process/cache-dir.ts'),
        ]);
        const homeDir = join(getCacheDir(), 'agents', 'codex');
        return createCodexAgent({ ...getKitOptions(options), owner: tools.owner, homeDir });
      });
    case 'acp': {
      const command = getCommand(options);
      return createLazyAgent('acp', async () => {
        const { createAcpAgent } = await import('./acp/acp.ts');
        return createAcpAgent({ ...getKitOptions(options), owner: tools.owner, command });
      });
    }
    default:
      throw new HarnessError('config', `The agent "${options.provider}" is not in this version.`, {
        field: 'agent.provider',
        fix: 'Set agent.provider to "claude", "codex", "acp", "command" (any program) or "scripted" (the embedded one).',
      });
  }
}

function getCommand(options: AgentOptions): string {
  if (options.command?.trim()) return options.command;
  const example = options.provider === 'acp' ? 'npx -y @agentclientprotocol/codex-acp' : './agent.sh';
  throw new HarnessError('config', `The agent "${options.provider}" needs a command to start.`, {
    field: 'agent.command',
    fix: `Set agent.command, such as "${example}".`,
  });
}

/** An agent whose code is loaded when it is first asked to work. */
function createLazyAgent(provider: keyof typeof CAPABILITIES, load: () => Promise<Agent>): Agent {
  let loaded: Promise<Agent> | undefined;
  return {
    provider,
    capabilities: CAPABILITIES[provider],
    reportsTools: provider !== 'acp',
    run: async (request, onEvent) => {
      loaded ??= load();
      return await (await loaded).run(request, onEvent);
    },
  };
}

function getKitOptions(options: AgentOptions): ClaudeSettings & { readonly projectRoot: string } {
  const { projectRoot = process.cwd(), model, passEnv, shellTimeoutMs, trustRepo, refuse } = options;
  return {
    projectRoot,
    ...(model === undefined ? {} : { model }),
    ...(passEnv === undefined ? {} : { passEnv }),
    ...(shellTimeoutMs === undefined ? {} : { shellTimeoutMs }),
    ...(trustRepo === undefined ? {} : { trustRepo }),
    ...(refuse ? { refuse } : {}),
  };
}
