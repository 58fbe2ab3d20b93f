import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Env, Provider } from '../shared/provider.ts';

/** Claude Code, through the Claude Agent SDK. */
export const claude: Provider = {
  name: 'claude',
  capabilities: {
    modes: ['exec', 'review', 'complete'],
    inject: 'native',
    interrupt: 'native',
    resume: true,
  },
  reportsTools: true,
  create: async (settings, { owner }) => {
    const { createClaudeAgent } = await import('./claude.ts');
    return createClaudeAgent({ ...settings, owner });
  },
  login: { find: findClaudeLogin, fix: 'run claude and log in, or set ANTHROPIC_API_KEY' },
};

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

function findClaudeLogin(env: Env): string | null {
  const key = KEYS.find(name => env[name]);
  if (key) return `key from ${key}`;
  const home = env.HOME ?? homedir();
  const folder = env.CLAUDE_CONFIG_DIR ?? join(home, '.claude');
  const hasLogin = existsSync(join(folder, '.credentials.json')) || hasAccount(join(home, '.claude.json'));
  return hasLogin ? 'logged in with Claude Code' : null;
}

/** That file is there as soon as Claude Code was started once, logged in or not. */
function hasAccount(file: string): boolean {
  try {
    return /"(oauthAccount|primaryApiKey)"\s*:\s*["{]/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}
