import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { findRoot, type GitDirs, readGitDirs } from '../../adapters/git/repo/git-files.ts';
import { openRepo } from '../../adapters/git/repo/repo.ts';
import { type RunGit, runGit } from '../../adapters/git/repo/run-git.ts';
import { getBacklogCodec } from '../../backlog/codec.ts';
import type { RepoReader } from '../../config/detect/detection.ts';
import { loadConfig } from '../../config/load.ts';
import { getCompletedDir } from '../../config/policy.ts';
import type { Config } from '../../config/sections/schema.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Backlog } from '../../ports/index.ts';
import { refuseForeign } from './landed/own-files.ts';
import { createRecord, type OpenRecord } from './open-record.ts';
import { readConfigText } from './quick-record.ts';
import { checkStateRoot } from './state-root.ts';

/** Where a command works. */
export interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly runGit?: RunGit;
  /** Told what somebody should know of the records that are opened. */
  readonly warn?: (text: string) => void;
}

/** A checkout with its configuration read, whatever state its branches are in. */
export interface Checkout extends OpenRecord {
  readonly gitDirs: GitDirs;
  /** Variables that its configuration is read with. */
  readonly env: Where['env'];
  readonly config: Config;
  readonly configFile: string;
  /** As it was before it was loaded; null for a config that is a program. */
  readonly configText: string | null;
  readonly stateDir: string;
  readonly backlogPath: string;
  /** Where plans go once they have landed; null where they stay. */
  readonly completedDir: string | null;
  readonly backlog: Backlog;
}

/** The folder a command was pointed at by flag, argument or variable, or the one it was started in. */
export function getWhere(io: Omit<Where, 'runGit'>, repo: string | undefined, argument?: string): Where {
  const { env, warn } = io;
  const rest = warn ? { env, warn } : { env };
  if (repo === undefined) return { cwd: io.cwd, ...rest };
  const cwd = resolve(io.cwd, repo);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { cwd, ...rest };
  const field = argument ?? (repo === io.env.HARNESS_TARGET_REPO ? 'HARNESS_TARGET_REPO' : '--repo');
  throw new HarnessError('usage', `${field}: ${cwd} is not a folder`, {
    file: cwd,
    field,
    fix: `give ${field} the folder of a git repository`,
  });
}

/** The checkout around a folder, or git's own reason why there is none. */
export async function findGitDirs(where: Where): Promise<GitDirs> {
  const cwd = existsSync(where.cwd) ? realpathSync(where.cwd) : where.cwd;
  const root = findRoot(cwd);
  const git = where.runGit ? { runGit: where.runGit } : {};
  if (root === null || `${cwd}/`.startsWith(`${root}/.git/`)) await openRepo(where.cwd, git);
  return readGitDirs(root ?? cwd);
}

/** Opens the checkout around a folder; needs no commit, so that a project can be set up first. */
export async function openCheckout(where: Where): Promise<Checkout> {
  const gitDirs = await findGitDirs(where);
  checkStateRoot(gitDirs, where.env);
  // Read before it is loaded, so that an edit in between is seen as one; loading says what is wrong with it.
  const before = readConfigText(gitDirs.root, where.env);
  const { config, file } = await loadConfig(gitDirs.root, where.env);
  const stateDir = join(gitDirs.mainRoot, config.paths.state_dir);
  await refuseForeign(gitDirs, config, file);
  return {
    gitDirs,
    env: where.env,
    config,
    configFile: file,
    configText: before?.text ?? null,
    stateDir,
    backlogPath: config.paths.features,
    completedDir: getCompletedDir(config),
    backlog: createBacklog(config),
    ...createRecord({ root: gitDirs.root, stateDir, config, ...getWarn(where) }),
  };
}

/** For whoever opens records in the name of where a command works. */
export function getWarn({ warn }: Where): Pick<Where, 'warn'> {
  return warn ? { warn } : {};
}

/** The codec for the backlog that a configuration names. */
export function createBacklog(config: Config): Backlog {
  const fileName = config.paths.features;
  const codec = getBacklogCodec(fileName, {
    fileName,
    requireTestFile: config.features.require_test_file,
    maxVerificationSteps: config.features.max_verification_steps,
    maxAttempts: config.attempts.max_attempts,
    completedDir: getCompletedDir(config),
  });
  return { ...codec, parse: rememberLast(text => codec.parse(text)) };
}

/** The committed text and the one of the checkout are most often the same, and long in an old project. */
function rememberLast<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly parsed: T } | null = null;
  return text => {
    if (last?.text !== text) last = { text, parsed: parse(text) };
    return last.parsed;
  };
}

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
