import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AcpAgentOptions, createAcpAgent } from '../../src/adapters/agents/acp/acp.ts';
import { openAgent, PROVIDERS } from '../../src/adapters/agents/providers.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import type { SpawnOwner } from '../../src/adapters/process/spawn-contained.ts';
import type { Agent } from '../../src/ports/index.ts';
import type { RealAgent } from './agent-stage.ts';
import { claudeSdk } from './claude-sdk.ts';
import { codexSdk } from './codex-sdk.ts';

const MODULES = join(process.env.HARNESS_AGENT_MODULES ?? '', 'node_modules');

/** Claude Code behind the protocol. */
export const claudeOverAcp: RealAgent = {
  ...claudeSdk,
  make: ({ server, home, workerId }) => {
    process.env.HOME = home;
    Object.assign(process.env, {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    });
    return createClaudeAcp({ workerId });
  },
  answer: value => ({ text: JSON.stringify(value) }),
  hasRoughUsage: true,
};

/** With what the SDK has put into the environment. */
export function createClaudeAcp(owner: Owner, more: More = {}): Agent {
  const names = [
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_API_KEY',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_MAX_RETRIES',
    'CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK',
    'CLAUDE_CODE_DISABLE_BACKGROUND_TASKS',
  ];
  return createAcp('@agentclientprotocol/claude-agent-acp', owner, names, more);
}

/** Codex behind the protocol; the same program as the SDK's. */
export const codexOverAcp: RealAgent = {
  ...codexSdk,
  make: ({ server, home, workerId }) => {
    process.env.HOME = home;
    mkdirSync(join(home, '.codex'));
    Object.assign(process.env, {
      CODEX_HOME: join(home, '.codex'),
      CODEX_API_KEY: 'sk-scripted',
      MODEL_PROVIDER: 'scripted',
      CODEX_CONFIG: JSON.stringify(getCodexConfig(server.url)),
    });
    return createCodexAcp({ workerId });
  },
  hasRoughUsage: true,
  isEndedByRefusal: true,
};

/** With what the SDK has put into the environment. */
export function createCodexAcp(owner: Owner, more: More = {}): Agent {
  const names = ['CODEX_HOME', 'CODEX_API_KEY', 'MODEL_PROVIDER', 'CODEX_CONFIG'];
  return createAcp('@agentclientprotocol/codex-acp', owner, names, more);
}

function getCodexConfig(url: string): unknown {
  const provider = {
    ...{ name: 'scripted', base_url: `${url}/v1`, wire_api: 'responses', env_key: 'CODEX_API_KEY' },
    ...{ requires_openai_auth: false, supports_websockets: false },
    ...{ request_max_retries: 0, stream_max_retries: 0, stream_idle_timeout_ms: 1_500 },
  };
  return {
    model: 'gpt-6.1-sol',
    model_provider: 'scripted',
    model_providers: { scripted: provider },
    features: { plugins: false, apps: false, remote_plugin: false, unbounded_connection_retries: false },
    analytics: { enabled: false },
  };
}

type Owner = Omit<SpawnOwner, 'random'>;
type More = Partial<Pick<AcpAgentOptions, 'trustRepo' | 'refuse'>>;

function createAcp(packageName: string, owner: Owner, passEnv: readonly string[], more: More): Agent {
  const options = {
    owner: { ...owner, random: createRandom() },
    projectRoot: process.cwd(),
    command: `'${process.execPath}' '${join(MODULES, packageName, 'dist/index.js')}'`,
    passEnv,
    graceMs: 500,
    silenceMs: 10_000,
    ...more,
  };
  return openAgent(PROVIDERS.acp, async () => createAcpAgent(options));
}
