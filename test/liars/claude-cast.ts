import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall, Turn } from '../../demo/model-server/script.ts';
import { startModelServer } from '../../demo/model-server/server.ts';
import type { Move, Play } from './case.ts';
import { type Cast, getClaim, type Sessions } from './play-case.ts';

const KITS = join(process.cwd(), 'test', 'agents');

/** The real Claude Agent SDK, whose model on loopback makes the moves of the case. */
export async function castClaude(play: Play, sessions: Sessions): Promise<Cast> {
  if (!existsSync(join(KITS, 'node_modules')))
    throw new Error('the agent kits are not installed: npm run test:agents installs them');
  const turns = sessions.flatMap(moves => [...moves.map(getTurn), { text: getClaim(play) }]);
  const server = await startModelServer(turns);
  return {
    agent: { provider: 'claude' },
    env: {
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      HARNESS_AGENT_MODULES: KITS,
    },
    check: () => (server.left() === 0 ? null : `${server.left()} turns of the model were never asked for`),
    close: () => server.close(),
  };
}

function getTurn(move: Move): Turn {
  if ('say' in move) return { text: move.say, tools: [getBash('true')] };
  if ('run' in move) return { tools: [getBash(move.run)] };
  if ('delete' in move) return { tools: [getBash(`rm '${move.delete}'`)] };
  const { file, content } = move.edit;
  return {
    tools: [
      getBash(`mkdir -p "$(dirname '${file}')" && cat > '${file}' <<'END_OF_FILE'\n${content}END_OF_FILE`),
    ],
  };
}

function getBash(command: string): ToolCall {
  return { name: 'Bash', input: { command, description: 'a step' } };
}
