import { join } from 'node:path';
import { CODEX_TOOLS } from '../../demo/model-server/responses.ts';
import { createCodexAgent } from '../../src/adapters/agents/codex/codex.ts';
import { openAgent, PROVIDERS } from '../../src/adapters/agents/providers.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import type { SpawnOwner } from '../../src/adapters/process/spawn-contained.ts';
import type { Agent } from '../../src/ports/index.ts';
import type { RealAgent } from './agent-stage.ts';

/** Codex with its real tools and its real sandbox; the limits are as short as they may be. */
export const codexSdk: RealAgent = {
  make: ({ server, home, workerId }) => {
    process.env.HOME = home;
    process.env.CODEX_API_KEY = 'sk-scripted';
    return createCodex(server.url, home, { workerId });
  },
  write: (_cwd, path, content) => CODEX_TOOLS.write(path, content),
  run: CODEX_TOOLS.run,
  answer: value => ({ text: JSON.stringify(value) }),
  hasOwnPids: true,
  // Codex tells a broken stream from a closed one by nothing.
  faultKinds: { 'garbage in the answer': 'network' },
};

export function createCodex(
  url: string | null,
  home: string,
  owner: Omit<SpawnOwner, 'random'>,
  more: { readonly injectPatienceMs?: number; readonly trustRepo?: boolean } = {},
): Agent {
  const options = {
    owner: { ...owner, random: createRandom() },
    projectRoot: process.cwd(),
    homeDir: join(home, 'harness', 'codex'),
    ...(url ? { baseUrl: `${url}/v1` } : {}),
    model: 'gpt-6.1-sol',
    streamIdleMs: 1_500,
    silenceMs: 10_000,
    graceMs: 500,
    ...more,
  };
  return openAgent(PROVIDERS.codex, async () => createCodexAgent(options));
}
