import type { Plan } from '../core/plan.ts';
import { NOTES_LINE, NOTES_RULE } from '../core/progress-notes.ts';
import { getUtcMinute } from '../core/utc-minute.ts';

/** The first entry of the progress notes: what was planned, why so, and what comes first. */
export function getFirstProgress(project: string, plan: Plan, atMs: number): string {
  const first = plan.tasks.find(task => task.depends_on.length === 0);
  return [
    NOTES_RULE,
    `CLAUDE PROGRESS LOG - ${project}`,
    NOTES_RULE,
    '',
    'What has been done, newest last. The harness tells each agent what it needs to know of it.',
    '',
    NOTES_LINE,
    `SESSION 0 - ${getUtcMinute(atMs)}`,
    NOTES_LINE,
    '',
    'FEATURE: none (planning)',
    '',
    'WHAT I DID:',
    `- Planned ${plan.tasks.length} tasks from the specification`,
    '- Set up the configuration, the backlog, init.sh and reset.sh',
    '',
    'DECISIONS:',
    ...plan.summary
      .split(/\n+/)
      .map(line => line.trim())
      .filter(line => line !== '')
      .map(line => `- ${line}`),
    '',
    'CURRENT STATE:',
    '- Nothing is built yet; every task has its test still to pass',
    '',
    `NEXT: Feature #${first?.id ?? plan.tasks[0]?.id} (${first?.title ?? plan.tasks[0]?.title})`,
    '',
  ].join('\n');
}
