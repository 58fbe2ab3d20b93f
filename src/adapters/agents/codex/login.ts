import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Env } from '../shared/provider.ts';

/** The variables that hold a key, best first. */
export const CODEX_KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const;

/** The login that `codex login` wrote; null when there is none. */
export function findCodexLogin(env: Env): string | null {
  const file = join(env.CODEX_HOME || join(env.HOME || homedir(), '.codex'), 'auth.json');
  return existsSync(file) ? file : null;
}
