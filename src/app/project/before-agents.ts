import { join } from 'node:path';
import { findUnreadFiles } from '../../adapters/context-files/scoped-files.ts';
import { getNotices } from '../../config/notices.ts';
import { getUsualProvider } from '../../config/sections/models.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Reporter } from '../../ports/index.ts';
import type { Project } from './open-project.ts';

type Configured = Pick<Project, 'config' | 'configFile'>;

/** What whoever starts agents has to know first: that there are some, and what of all that was set or left reaches nobody. */
export async function beforeAgents(
  project: Configured & Pick<Project, 'root'>,
  reporter: Reporter,
): Promise<void> {
  refuseNoAgent(project);
  for (const { field, text } of getNotices(project.config))
    reporter.note?.(`${project.configFile}: ${field} has no effect: ${text}`);
  for (const text of await findUnread(project)) reporter.note?.(text);
}

/** Context files that no agent is ever told of. */
export async function findUnread({
  config,
  root,
}: Pick<Project, 'config' | 'root'>): Promise<readonly string[]> {
  const { context_dir } = config.plan;
  return context_dir === null ? [] : findUnreadFiles(join(root, context_dir));
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
