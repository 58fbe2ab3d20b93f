import { join } from 'node:path';
import { openRepo } from '../../adapters/git/repo/repo.ts';
import { getBacklogCodec } from '../../backlog/codec.ts';
import type { DetectedProject } from '../../config/detect/detection.ts';
import { type getChosenAgent, renderConfig } from '../../config/detect/render-config.ts';
import { parseConfig } from '../../config/load.ts';
import { getPolicy } from '../../config/policy.ts';
import type { Where } from './open-checkout.ts';
import type { Project } from './open-project.ts';
import { createRecord } from './open-record.ts';

/** The project as it would be with the configuration that was found out, before that is in any file. */
export async function createProject(
  where: Where,
  detected: DetectedProject,
  chosen: ReturnType<typeof getChosenAgent>,
): Promise<Project> {
  const configFile = '.harness.yaml';
  const configText = renderConfig(detected, chosen);
  const config = parseConfig(configText, configFile, {});
  const repo = await openRepo(where.cwd, { mayBeEmpty: true });
  const stateDir = join(repo.mainRoot, config.paths.state_dir);
  return {
    root: repo.root,
    env: where.env,
    repo,
    config,
    configFile,
    configText,
    policy: getPolicy(config, { baseBranch: repo.baseBranch, configPath: configFile }),
    stateDir,
    backlog: getBacklogCodec(config.paths.features, { fileName: config.paths.features }),
    ...createRecord({ root: repo.root, stateDir, config }),
  };
}
