import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfigFiles } from '../../config/config-files.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { loadConfig } from '../../config/load.ts';
import { getPolicy } from '../../config/policy.ts';
import { createBacklog } from './open-checkout.ts';
import type { Project } from './open-project.ts';

/**
 * The project as it was when `dir` was laid out: its settings, its backlog's format, its scripts. How
 * commands are contained stays a matter of today. A tree without settings was judged by uncommitted ones.
 */
export async function openProjectAt(project: Project, dir: string): Promise<Project> {
  if (findConfigFile(dir) === null) return project;
  const { config, file } = await loadConfig(dir, project.env);
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
