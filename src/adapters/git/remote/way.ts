import type { GitContext } from '../repo/context.ts';
import { getNetworkEnv } from '../repo/git-env.ts';
import { getMissingRemoteError } from '../repo/repo.ts';

/** What leads to a remote; where its branches are put and what is pushed by itself does not come along. */
const LEADS = [
  'url',
  'pushurl',
  'proxy',
  'proxyauthmethod',
  'uploadpack',
  'receivepack',
  'vcs',
  'serveroption',
];

/** Under which name git is shown the remote. */
export const OWN_REMOTE = 'harness-shared';

/**
 * The remote under a name of our own, in git's environment alone. Under the user's name, every fetch and push would move
 * their `origin/main` behind their back, and `git push --force-with-lease` of theirs would drop what they never saw.
 * In arguments, everybody on this machine could read a login.
 */
export async function readWay(ctx: GitContext): Promise<Record<string, string>> {
  const { commonDir, remote } = ctx.repo;
  const env = { ...getNetworkEnv(), GIT_DIR: commonDir };
  const { stdout } = await ctx.run(['config', '--list', '-z'], { cwd: commonDir, env });
  const prefix = `remote.${remote}.`;
  const found = stdout
    .toString('utf8')
    .split('\0')
    .filter(entry => entry.startsWith(prefix) && entry.includes('\n'))
    .map(entry => [entry.slice(prefix.length, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)])
    .filter(([key = '']) => LEADS.includes(key));
  if (!found.some(([key]) => key === 'url')) throw getMissingRemoteError(String(remote), commonDir);
  const settings = found.flatMap(([key, value = ''], at) => [
    [`GIT_CONFIG_KEY_${at}`, `remote.${OWN_REMOTE}.${key}`],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...env, ...Object.fromEntries(settings), GIT_CONFIG_COUNT: String(found.length) };
}
