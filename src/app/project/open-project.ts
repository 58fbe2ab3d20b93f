import { join } from 'node:path';
import { openRepo, type RepoFacts } from '../../adapters/git/repo/repo.ts';
import { readConfigFiles } from '../../config/config-files.ts';
import { getPolicy } from '../../config/policy.ts';
import { readPrompts } from '../../config/read-prompts.ts';
import type { Config } from '../../config/sections/schema.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { Backlog } from '../../ports/index.ts';
import { openCheckout, type Where } from './open-checkout.ts';
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
  const repo = await openRepo(where.cwd, { baseBranch: config.git.base_branch, ...git });
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
    ...createRecord({ stateDir, config }),
  };
}
