import { runGit } from '../src/adapters/git/repo/run-git.ts';
import { HarnessError } from '../src/core/base/failure.ts';

/** Git as a visitor would use it, without anybody's settings: the demo checks the harness from outside. */
export async function runPlainGit(cwd: string, args: string[]): Promise<string> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const env: Record<string, string> = { PATH, HOME, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' };
  env.GIT_CONFIG_GLOBAL = '/dev/null';
  if (TMPDIR !== undefined) env.TMPDIR = TMPDIR;
  const result = await runGit(args, { cwd, env });
  if (result.code === 0) return result.stdout.toString('utf8').trimEnd();
  throw new HarnessError('environment', `git ${args[0]} failed: ${result.stderr.trim()}`, {
    fix: 'check that git works here: harness doctor',
  });
}
