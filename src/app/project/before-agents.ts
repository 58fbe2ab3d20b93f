import { join } from 'node:path';
import { findUnreadFiles } from '../../adapters/context-files/scoped-files.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { checkStoreFile } from '../../adapters/store/store-files.ts';
import { getNotices } from '../../config/notices.ts';
import { getUsualProvider } from '../../config/sections/models.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Reporter } from '../../ports/index.ts';
import { getHiddenRunnerNote } from './hidden-runner.ts';
import type { Project } from './open-project.ts';

type Configured = Pick<Project, 'config' | 'configFile'>;

/** What whoever starts agents has to know first: that there are some, and what of all that was set or left reaches nobody. */
export async function beforeAgents(
  project: Configured & Pick<Project, 'root' | 'repo' | 'stateDir'>,
  reporter: Reporter,
): Promise<void> {
  refuseNoAgent(project);
  refuseOtherBase(project);
  for (const note of getNoEffect(project)) reporter.note?.(note);
  const hidden = getHiddenRunnerNote(project.config, project.root);
  if (hidden !== null) reporter.note?.(`${project.configFile}: ${hidden}`);
  for (const text of await findUnread(project)) reporter.note?.(text);
}

/** Every setting with its reason; of many the names alone, since every run says it. */
function getNoEffect({ config, configFile }: Configured): readonly string[] {
  const notices = getNotices(config);
  if (notices.length <= MAX_NOTICES)
    return notices.map(({ field, text }) => `${configFile}: ${field} has no effect: ${text}`);
  const fields = notices.map(({ field }) => field).join(', ');
  return [`${configFile}: these have no effect yet, and harness doctor says why: ${fields}`];
}

const MAX_NOTICES = 2;

/** Context files that no agent is ever told of. */
export async function findUnread({
  config,
  root,
}: Pick<Project, 'config' | 'root'>): Promise<readonly string[]> {
  const { context_dir } = config.plan;
  return context_dir === null ? [] : findUnreadFiles(join(root, context_dir));
}

/**
 * All worktrees of a repository share one record. Whoever starts agents in a linked one without naming a base would
 * have them build on its branch, and the record would tell of two branches as if they were one.
 */
function refuseOtherBase({
  config,
  configFile,
  repo,
  stateDir,
}: Configured & Pick<Project, 'repo' | 'stateDir'>): void {
  const { root, mainRoot, commonDir, baseBranch } = repo;
  if (config.git.base_branch !== null || root === mainRoot || !checkStoreFile(stateDir)) return;
  const usual = /^ref: refs\/heads\/(.+)\n?$/.exec(readIfThere(join(commonDir, 'HEAD')) ?? '')?.[1];
  if (usual === undefined || usual === baseBranch) return;
  const message = `this worktree is on ${baseBranch}, and shares its records with ${mainRoot}, which is on ${usual}: nothing says which of them tasks land on`;
  throw new HarnessError('repo', message, {
    file: configFile,
    field: 'git.base_branch',
    fix: `name it: git: { base_branch: ${usual} } in ${configFile} (or HARNESS_BASE_BRANCH=${usual} for this run), or run harness in ${mainRoot}`,
  });
}

/** Nothing is begun, let alone paid, for a project that names nobody to do the work. */
export function refuseNoAgent({ config, configFile }: Configured): void {
  if (getUsualProvider(config) !== null) return;
  throw new HarnessError('config', `${configFile} names no agent, so there is nobody to do the work`, {
    file: configFile,
    field: 'agent.provider',
    fix: 'Add agent: { provider: claude }, or codex; for any other program agent: { provider: command, command: ./agent.sh }.',
  });
}
