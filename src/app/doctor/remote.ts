import { readRemoteTip, tryPush } from '../../adapters/git/remote/heads.ts';
import { openContext } from '../../adapters/git/repo/context.ts';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import type { Project } from '../project/open-project.ts';
import type { Finding } from './finding.ts';

/** Of a clone with a remote and a file of its own. */
export const ALONE =
  'the records are in this clone alone: other hosts would not know of its work, and begin the same tasks';
export const SHARE = 'give all hosts one database: HARNESS_STORE_URL=postgres://… (docs/fleet.md)';

/** Whether the remote that hosts share answers, may be pushed to, and is all that they need to know of each other. */
export async function checkRemote(project: Project): Promise<Finding> {
  const { remote, baseBranch } = project.repo;
  const ctx = openContext(project.repo, runGit);
  const { commit } = await readRemoteTip(ctx);
  await tryPush(ctx, commit);
  const detail = `${remote} answers and may be pushed to; ${baseBranch} there is at ${commit.slice(0, 10)}`;
  if (project.config.store.url === null)
    return {
      status: 'warn',
      detail: `${detail}\n${ALONE}`,
      fix: SHARE,
    };
  const path = await findForcible(project);
  if (path === null) return { status: 'ok', detail };
  return {
    status: 'ok',
    detail: `${detail}\nit takes pushes by which commits are lost, from whomever: git -C ${path} config receive.denyNonFastForwards true keeps it from that`,
  };
}

/** The remote's folder, where it lies on this machine and anybody may rewrite its branches. */
async function findForcible({ repo }: Project): Promise<string | null> {
  const git = (cwd: string, ...args: string[]) => runGit(args, { cwd, env: getBaseEnv() });
  const found = await git(repo.root, 'remote', 'get-url', '--push', String(repo.remote));
  const path = found.stdout
    .toString('utf8')
    .trim()
    .replace(/^file:\/\//, '');
  if (!path.startsWith('/') && !path.startsWith('.')) return null;
  const { code, stdout } = await git(
    repo.root,
    '-C',
    path,
    'config',
    '--type=bool',
    'receive.denyNonFastForwards',
  );
  return code === 0 && stdout.toString('utf8').trim() === 'true' ? null : path;
}
