import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import type { RepoReader } from '../../config/detect/detection.ts';

/** What git knows or would add: ignored folders are never walked, nor are installed packages that nobody ignores yet. */
export function createRepoReader(root: string): RepoReader {
  return {
    listFiles: async () => {
      const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
      const { stdout } = await runGit(args, { cwd: root, env: getBaseEnv() });
      return stdout
        .toString('utf8')
        .split('\0')
        .filter(path => path !== '' && !/(?:^|\/)node_modules\//.test(path) && existsSync(join(root, path)));
    },
    readFile: async path => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null),
  };
}
