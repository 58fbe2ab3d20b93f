import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { type BranchFacts, getBaseBranch } from './base-branch.ts';
import { getBaseEnv } from './git-env.ts';
import { getGitError } from './git-error.ts';
import { type GitResult, type RunGit, runGit } from './run-git.ts';

/** How a repository names its objects. */
export type ObjectFormat = 'sha1' | 'sha256';

/** Bytes of an object's name where git writes it raw. */
export function getIdBytes(format: ObjectFormat): number {
  return format === 'sha256' ? 32 : 20;
}

/** What has to be known of a repository before any work starts in it. */
export interface RepoFacts {
  /** The top of the checkout the command was started in. */
  readonly root: string;
  readonly gitDir: string;
  /** Shared by all worktrees of the repository: refs and objects. */
  readonly commonDir: string;
  readonly objectsDir: string;
  /** The main worktree, where the state lives; the repository itself when that is bare. */
  readonly mainRoot: string;
  readonly objectFormat: ObjectFormat;
  /** Null when HEAD is detached. */
  readonly headBranch: string | null;
  readonly baseBranch: string;
  /** The remote that several hosts land on; null where work lands in this repository. */
  readonly remote: string | null;
  /** As git names it. */
  readonly gitVersion: string;
  readonly identity: { readonly name: string; readonly email: string } | null;
  /** Settings that describe the file system or sharing, taken over into our own git directories. */
  readonly coreSettings: Readonly<Record<string, string>>;
  /** Worth telling a person, not worth stopping for. */
  readonly notes: readonly string[];
}

const MIN_VERSION = [2, 38] as const;
const COPIED_SETTINGS = ['filemode', 'symlinks', 'ignorecase', 'precomposeunicode', 'sharedrepository'];

/** Reads the facts of the repository around `cwd`, or says which state keeps us from working in it. */
export async function openRepo(
  cwd: string,
  options: {
    readonly baseBranch?: string | null;
    readonly remote?: string | null;
    readonly runGit?: RunGit;
    /** For setting a project up: the branch to be born counts as the base. */
    readonly mayBeEmpty?: boolean;
  } = {},
): Promise<RepoFacts> {
  const run = options.runGit ?? runGit;
  const env = getBaseEnv();
  const git = (...args: string[]): Promise<GitResult> => run(args, { cwd, env });
  const [version, dirs, head, refs, config, worktrees] = await Promise.all([
    git('version'),
    git(
      'rev-parse',
      '--path-format=absolute',
      '--is-bare-repository',
      '--is-inside-git-dir',
      '--show-object-format',
      '--git-dir',
      '--git-common-dir',
      '--git-path',
      'objects',
      '--show-toplevel',
    ),
    git('symbolic-ref', '-q', 'HEAD'),
    git('for-each-ref', '--format=%(refname) %(objectname) %(symref)', 'refs/heads', 'refs/remotes/origin'),
    git('config', '--list', '-z'),
    git('worktree', 'list', '--porcelain', '-z'),
  ]);
  const gitVersion = checkVersion(version.stdout.toString());
  const found = getRepoDirs(dirs, cwd);
  if (refs.code !== 0) throw getGitError('reading the branches', refs, found.commonDir);
  const settings = getSettings(config.stdout);
  const { remote = null } = options;
  if (remote !== null && !settings.has(`remote.${remote}.url`))
    throw getMissingRemoteError(remote, found.commonDir, settings);
  const branches = getBranches(head, refs, settings, options.baseBranch ?? null);
  return {
    ...found,
    mainRoot: getMainRoot(found, worktrees),
    headBranch: branches.headBranch,
    remote,
    baseBranch:
      options.mayBeEmpty && branches.branches.size === 0 && branches.headBranch !== null
        ? branches.headBranch
        : getBaseBranch(branches),
    gitVersion,
    identity: getIdentity(settings),
    coreSettings: getCoreSettings(settings),
    notes: [
      ...getOperations(found.gitDir).map(
        operation =>
          `a ${operation} is in progress in ${found.root}: work goes on, but the branch there will not be moved`,
      ),
      ...(isTrue(settings.get('commit.gpgsign')) ? [UNSIGNED] : []),
    ],
  };
}

/** Says which remotes there are, and how to add one. */
export function getMissingRemoteError(
  remote: string,
  commonDir: string,
  settings: ReadonlyMap<string, string> = new Map(),
): HarnessError {
  const names = [...settings.keys()]
    .filter(key => key.startsWith('remote.') && key.endsWith('.url'))
    .map(key => key.slice('remote.'.length, -'.url'.length));
  const others = names.length > 0 ? `, or name one that there is: ${names.join(', ')}` : '';
  return new HarnessError('repo', `there is no remote "${remote}" here`, {
    file: join(commonDir, 'config'),
    field: 'git.remote',
    fix: `add it: git remote add ${remote} <address>${others}`,
  });
}

/** What a git directory is in the middle of: merge, rebase, cherry-pick, revert or bisect. */
export function getOperations(gitDir: string): string[] {
  const marks: readonly (readonly [string, string])[] = [
    ['MERGE_HEAD', 'merge'],
    ['rebase-merge', 'rebase'],
    ['rebase-apply', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
    ['REVERT_HEAD', 'revert'],
    ['BISECT_START', 'bisect'],
    ['sequencer', 'sequence of picks'],
  ];
  return marks.filter(([file]) => existsSync(join(gitDir, file))).map(([, name]) => name);
}

function checkVersion(text: string): string {
  const [, major = '0', minor = '0'] = /git version (\d+)\.(\d+)/.exec(text) ?? [];
  const isOld =
    Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1]);
  if (!isOld) return text.trim().replace(/^git version /, '');
  throw new HarnessError(
    'environment',
    `git ${major}.${minor} is too old: ${MIN_VERSION.join('.')} or newer is needed`,
    {
      fix: 'install a newer git; `git --version` shows which one is found on PATH',
    },
  );
}

type RepoDirs = Pick<RepoFacts, 'root' | 'gitDir' | 'commonDir' | 'objectsDir' | 'objectFormat'>;

function getRepoDirs(result: GitResult, cwd: string): RepoDirs {
  const [bare, inside, format, gitDir, commonDir, objectsDir, root] = result.stdout.toString().split('\n');
  if (bare === 'true' && inside === 'true') {
    throw new HarnessError('repo', `${cwd} is a bare repository: it has no files to work on`, {
      file: cwd,
      fix: 'clone it, or add a worktree (git worktree add ../work main), and run there',
    });
  }
  if (inside === 'true') {
    throw new HarnessError('repo', `${cwd} is inside a .git directory`, {
      file: cwd,
      fix: 'run from the files of the project instead',
    });
  }
  if (result.code !== 0) throw getGitError('opening the repository', result, cwd);
  if (!gitDir || !commonDir || !objectsDir || !root) throw getGitError('opening the repository', result, cwd);
  return { root, gitDir, commonDir, objectsDir, objectFormat: format === 'sha256' ? 'sha256' : 'sha1' };
}

function getSettings(listing: Buffer): Map<string, string> {
  const settings = new Map<string, string>();
  for (const entry of listing.toString('utf8').split('\0')) {
    const end = entry.indexOf('\n');
    if (end > 0) settings.set(entry.slice(0, end), entry.slice(end + 1));
  }
  return settings;
}

function getBranches(
  head: GitResult,
  refs: GitResult,
  settings: Map<string, string>,
  configured: string | null,
): BranchFacts {
  const branches = new Set<string>();
  const remotes = new Set<string>();
  let originHead: string | null = null;
  for (const line of refs.stdout.toString('utf8').split('\n')) {
    const [ref = '', , symref] = line.split(' ');
    if (ref.startsWith('refs/heads/')) branches.add(ref.slice('refs/heads/'.length));
    else if (ref === 'refs/remotes/origin/HEAD')
      originHead = symref?.slice('refs/remotes/origin/'.length) || null;
    else if (ref !== '') remotes.add(ref.slice('refs/remotes/'.length));
  }
  const headRef = head.stdout.toString('utf8').trim();
  return {
    configured,
    headBranch: headRef.startsWith('refs/heads/') ? headRef.slice('refs/heads/'.length) : null,
    originHead,
    defaultBranch: settings.get('init.defaultbranch') ?? null,
    branches,
    remotes,
  };
}

function getMainRoot(dirs: RepoDirs, worktrees: GitResult): string {
  if (dirs.gitDir === dirs.commonDir) return dirs.root;
  const [first = '', second = ''] = worktrees.stdout.toString('utf8').split('\0');
  if (worktrees.code !== 0 || !first.startsWith('worktree ') || second === 'bare') return dirs.commonDir;
  return first.slice('worktree '.length);
}

const UNSIGNED =
  'commit.gpgsign is set, and what the harness lands is not signed, as your key is yours alone: with git.land: branch it lands on harness/landed, and a merge of yours signs it';

function isTrue(value: string | undefined): boolean {
  return value !== undefined && ['', 'true', 'yes', 'on', '1'].includes(value.toLowerCase());
}

function getIdentity(settings: Map<string, string>): RepoFacts['identity'] {
  const clean = (text: string | undefined): string => (text ?? '').replace(/[<>\n\0]/g, '').trim();
  const name = clean(settings.get('user.name'));
  const email = clean(settings.get('user.email'));
  return name && email ? { name, email } : null;
}

function getCoreSettings(settings: Map<string, string>): Record<string, string> {
  const found = COPIED_SETTINGS.map(name => [name, settings.get(`core.${name}`)] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
