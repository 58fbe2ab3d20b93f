import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where caches go on this machine unless somebody says otherwise. */
export function getCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HARNESS_CACHE_DIR) return env.HARNESS_CACHE_DIR;
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'harness');
}
