import { getNotices } from '../../config/notices.ts';
import { getUsualProvider } from '../../config/sections/models.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Reporter } from '../../ports/index.ts';
import type { Project } from './open-project.ts';

type Configured = Pick<Project, 'config' | 'configFile'>;

/** What whoever starts agents has to know first: that there are some, and which settings do nothing. */
export function beforeAgents(project: Configured, reporter: Reporter): void {
  refuseNoAgent(project);
  for (const { field, text } of getNotices(project.config))
    reporter.note?.(`${project.configFile}: ${field} has no effect: ${text}`);
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
