import { join } from 'node:path';
import type { Provider } from '../shared/provider.ts';
import { CODEX_KEYS, findCodexLogin } from './options.ts';

/** Codex, through the Codex SDK. */
export const codex: Provider = {
  name: 'codex',
  capabilities: {
    modes: ['exec', 'review', 'complete'],
    inject: 'abort-resume',
    interrupt: 'abort',
    resume: true,
  },
  reportsTools: true,
  create: async (settings, { owner }) => {
    const [{ createCodexAgent }, { getCacheDir }] = await Promise.all([
      import('./codex.ts'),
      import('../../process/cache-dir.ts'),
    ]);
    return createCodexAgent({ ...settings, owner, homeDir: join(getCacheDir(), 'agents', 'codex') });
  },
  login: {
    find: env => {
      const key = CODEX_KEYS.find(name => env[name]);
      if (key) return `key from ${key}`;
      return findCodexLogin(env) ? 'logged in with codex login' : null;
    },
    fix: 'run codex login, or set OPENAI_API_KEY',
  },
};
