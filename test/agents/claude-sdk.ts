import { createClaudeAgent } from '../../src/adapters/agents/claude/claude.ts';
import type { ClaudeSettings } from '../../src/adapters/agents/claude/options.ts';
import { openAgent, PROVIDERS } from '../../src/adapters/agents/providers.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import type { SpawnOwner } from '../../src/adapters/process/spawn-contained.ts';
import type { Agent } from '../../src/ports/index.ts';
import type { RealAgent } from './agent-stage.ts';

/** Claude Code with its real tools; the limits are as short as it lets them be. */
export const claudeSdk: RealAgent = {
  make: ({ server, home, workerId }) => {
    process.env.HOME = home;
    process.env.ANTHROPIC_BASE_URL = server.url;
    process.env.ANTHROPIC_API_KEY = 'sk-ant-scripted';
    return createClaude({ workerId, random: createRandom() });
  },
  write: (cwd, path, content) => ({ name: 'Write', input: { file_path: `${cwd}/${path}`, content } }),
  run: command => ({ name: 'Bash', input: { command, description: 'scripted' } }),
  answer: value => ({ tools: [{ name: 'StructuredOutput', input: value as Record<string, unknown> }] }),
};

export function createClaude(owner: SpawnOwner, more: Partial<ClaudeSettings> = {}): Agent {
  const options = {
    owner,
    projectRoot: process.cwd(),
    model: 'claude-sonnet-4-5',
    requestTimeoutMs: 3_000,
    streamIdleMs: 10_000,
    graceMs: 500,
    ...more,
  };
  return openAgent(PROVIDERS.claude, async () => createClaudeAgent(options));
}
