import { join } from 'node:path';

/** Settings for every command that writes to the user's repository: no code of theirs runs, and writes are durable. */
export const SAFE_CONFIG: readonly string[] = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.fsync=objects,reference,index',
  '-c',
  'submodule.recurse=false',
  '-c',
  'gc.auto=0',
];

/** The environment of a git command: nothing of the caller's own GIT_* settings gets in. */
export function getBaseEnv(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const env: Record<string, string> = {
    LANG: 'C',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: ':',
    GIT_AUTHOR_NAME: 'Harness',
    GIT_AUTHOR_EMAIL: 'harness@localhost',
    GIT_COMMITTER_NAME: 'Harness',
    GIT_COMMITTER_EMAIL: 'harness@localhost',
  };
  for (const name of ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR']) {
    const value = source[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** What leads to a remote: proxies, keys and whoever is asked for a password. */
const TO_REMOTES = /^(SSH_|GIT_SSH|GIT_ASKPASS$|(https?|all|no)_proxy$|SSL_CERT)/i;

/** For talking to a remote: with the user's and the machine's settings, where their way to it is told. */
export function getNetworkEnv(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const { GIT_CONFIG_NOSYSTEM: _, ...env } = getBaseEnv(source);
  for (const [name, value] of Object.entries(source))
    if (value !== undefined && TO_REMOTES.test(name)) env[name] = value;
  return env;
}

/** For refs and settings of the user's repository. */
export function getRepoEnv(gitDir: string): Record<string, string> {
  return { ...getBaseEnv(), GIT_DIR: gitDir };
}

/** For the user's checkout: git there needs the filters they set up, wherever those are configured. */
export function getCheckoutEnv(gitDir: string, root: string): Record<string, string> {
  const { GIT_CONFIG_NOSYSTEM: _, ...env } = getBaseEnv();
  return { ...env, GIT_DIR: gitDir, GIT_WORK_TREE: root };
}

/** For git directories of our own: only their config counts, and objects go into the user's repository. */
export function getOwnEnv(request: {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly objectsDir: string;
  readonly workTree?: string;
}): Record<string, string> {
  const env: Record<string, string> = {
    ...getBaseEnv(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_DIR: request.gitDir,
    GIT_OBJECT_DIRECTORY: request.objectsDir,
    GIT_SHALLOW_FILE: join(request.commonDir, 'shallow'),
  };
  if (request.workTree !== undefined) env.GIT_WORK_TREE = request.workTree;
  return env;
}
