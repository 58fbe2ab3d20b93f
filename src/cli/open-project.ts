import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openRepo, type RepoFacts } from '../adapters/git/repo.ts';
import type { RunGit } from '../adapters/git/run-git.ts';
import { getBacklogCodec } from '../backlog/codec.ts';
import { loadConfig } from '../config/load.ts';
import { getPolicy } from '../config/policy.ts';
import type { Config } from '../config/schema.ts';
import type { Policy } from '../core/policy.ts';
import type { Backlog } from '../ports.ts';

/** A repository with its configuration read: what every command but `init` and `version` starts from. */
export interface Project {
  readonly root: string;
  readonly repo: RepoFacts;
  readonly config: Config;
  readonly configFile: string;
  readonly policy: Policy;
  readonly stateDir: string;
  readonly backlog: Backlog;
}

export interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly runGit?: RunGit;
}

/** Opens the project around a folder, or says what keeps it from being one. */
export async function openProject(where: Where): Promise<Project> {
  const root = findRoot(where.cwd);
  const git = where.runGit ? { runGit: where.runGit } : {};
  if (root === null) await openRepo(where.cwd, git);
  const { config, file } = await loadConfig(root ?? where.cwd, where.env);
  const repo = await openRepo(where.cwd, { baseBranch: config.git.base_branch, ...git });
  const policy = getPolicy(config, { baseBranch: repo.baseBranch, configPath: file });
  return {
    root: repo.root,
    repo,
    config,
    configFile: file,
    policy,
    stateDir: join(repo.mainRoot, config.paths.state_dir),
    backlog: getBacklogCodec(policy.backlogPath, {
      fileName: policy.backlogPath,
      requireTestFile: policy.requireTestFile,
      maxVerificationSteps: config.features.max_verification_steps,
      maxAttempts: policy.maxAttempts,
    }),
  };
}

/** The nearest folder upwards that has a `.git`, without asking git. */
export function findRoot(cwd: string): string | null {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return dir;
    if (dirname(dir) === dir) return null;
  }
}
