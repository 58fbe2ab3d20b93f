import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from '../shared/provider.ts';

/** Any agent that speaks the Agent Client Protocol on its pipes. */
export const acp: Provider = {
  name: 'acp',
  capabilities: {
    modes: ['exec', 'review', 'complete'],
    inject: 'abort-resume',
    interrupt: 'native',
    resume: true,
  },
  reportsTools: false,
  create: async (settings, { owner }) => {
    const { createAcpAgent } = await import('./acp.ts');
    return createAcpAgent({ ...settings, owner, command: settings.command ?? '' });
  },
  // Agents over ACP are told not to take what a repository brings, and not all of them listen.
  examine: async ({ root, trustRepo }) => {
    const file = '.codex/config.toml';
    if (trustRepo || !existsSync(join(root, file))) return null;
    return {
      status: 'warn',
      detail: `${file}: Codex over ACP takes the settings of a repository whatever it is told`,
      fix: 'set agent.provider to codex, or agent.trust_repo_settings to true when you trust them',
    };
  },
};
