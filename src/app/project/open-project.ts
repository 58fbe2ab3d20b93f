import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepo, type RepoFacts } from '../../adapters/git/repo/repo.ts';
import { findConfigFile, readConfigFiles } from '../../config/find-config.ts';
import { loadConfig } from '../../config/load.ts';
import { getPolicy } from '../../config/policy.ts';
import { readPrompts } from '../../config/read-prompts.ts';
import type { Config } from '../../config/sections/schema.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { Backlog } from '../../ports/index.ts';
import { createBacklog, getWarn, openCheckout, type Where } from './open-checkout.ts';
import { createRecord, type OpenRecord } from './open-record.ts';

export type { Where } from './open-checkout.ts';

/** A repository with its configuration read: what every command that looks at branches starts from. */
export interface Project extends OpenRecord {
  readonly root: string;
  /** Variables that its configuration is read with. */
  readonly env: Where['env'];
  readonly repo: RepoFacts;
  readonly config: Config;
  readonly configFile: string;
  readonly configText: string | null;
  readonly policy: Policy;
  readonly stateDir: string;
  readonly backlog: Backlog;
}

/** Opens the project around a folder, or says what keeps it from being one. */
export async function openProject(where: Where): Promise<Project> {
  const { config, configFile, configText, backlog } = await openCheckout(where);
  const git = where.runGit ? { runGit: where.runGit } : {};
  const repo = await openRepo(where.cwd, {
    baseBranch: config.git.base_branch,
    remote: config.git.remote,
    ...git,
  });
  const stateDir = join(repo.mainRoot, config.paths.state_dir);
  return {
    root: repo.root,
    env: where.env,
    repo,
    config,
    configFile,
    configText,
    policy: getPolicy(config, {
      baseBranch: repo.baseBranch,
      configPath: configFile,
      configFiles: readConfigFiles(repo.root, configFile),
      prompts: readPrompts(repo.root, config.paths.prompts),
    }),
    stateDir,
    backlog,
    ...createRecord({ root: repo.root, stateDir, config, ...getWarn(where) }),
  };
}

/** Opens a project for one thing, and closes it after that. */
export async function withProject<T>(where: Where, act: (project: Project) => Promise<T>): Promise<T> {
  const project = await openProject(where);
  try {
    return await act(project);
  } finally {
    await project.close();
  }
}

/**
 * The project as it was when `dir` was laid out: its settings, its backlog's format, its scripts. How
 * commands are contained stays a matter of today. A tree without settings was judged by uncommitted ones.
 */
export async function openProjectAt(project: Project, dir: string): Promise<Project> {
  if (findConfigFile(dir) === null) return project;
  const { config, file } = await loadConfig(dir, project.env, project.config.project.name);
  const { baseBranch } = project.policy;
  return {
    ...project,
    configFile: file,
    configText: readFileSync(join(dir, file), 'utf8'),
    policy: getPolicy(config, {
      baseBranch,
      configPath: file,
      configFiles: readConfigFiles(dir, file),
      prompts: project.policy.prompts,
    }),
    backlog: createBacklog(config),
  };
}
