import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findCodexLogin } from '../../adapters/agents/codex/home.ts';
import { CODEX_KEYS } from '../../adapters/agents/codex/options.ts';
import { AGENT_KITS, findAgentKit, getInstallCommand } from '../../adapters/agents/shared/agent-kit.ts';
import type { Checkup } from './finding.ts';

type Finding = Omit<Checkup, 'name'>;
type Env = Readonly<Record<string, string | undefined>>;

/** Whether an agent's kit is installed, in the version that is tested, and whether there is a way to log in. */
export function checkKit(provider: keyof typeof AGENT_KITS, root: string, env: Env): Finding {
  const kit = AGENT_KITS[provider];
  const found = findAgentKit(kit, root);
  if (!found) {
    return { status: 'fail', detail: `the ${kit.label} is not installed`, fix: getInstallCommand(kit) };
  }
  const login = provider === 'acp' ? 'the agent logs in by itself' : findLogin(provider, env);
  if (login === null) {
    const fix =
      provider === 'claude'
        ? 'run claude and log in, or set ANTHROPIC_API_KEY'
        : 'run codex login, or set OPENAI_API_KEY';
    return { status: 'warn', detail: `${kit.label} ${found.version}, and no login was found`, fix };
  }
  if (found.version !== kit.version) {
    const detail = `${kit.label} ${found.version}; this Harness is tested with ${kit.version}`;
    return { status: 'warn', detail, fix: getInstallCommand(kit) };
  }
  return { status: 'ok', detail: `${kit.label} ${found.version}, ${login}` };
}

/** How the agent would log in, without trying it. */
function findLogin(provider: 'claude' | 'codex', env: Env): string | null {
  const names = provider === 'claude' ? CLAUDE_KEYS : CODEX_KEYS;
  const named = names.find(name => env[name]);
  if (named) return `key from ${named}`;
  if (provider === 'codex') return findCodexLogin(env) ? 'logged in with codex login' : null;
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

const CLAUDE_KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;
