import { type RecoverResult, recover as recoverProject } from '../../../app/run/recover.ts';
import { defineCommand } from '../../command/define-command.ts';
import { yes } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';

type Plan = RecoverResult['plan'];

export const recover = defineCommand({
  name: 'recover',
  group: 'working',
  summary: 'Repair what a killed run left behind; start nothing new.',
  flags: { dryRun: yes('show what would be done, and why; do nothing') },
  remark: 'Every run begins with the same.',
  examples: ['harness recover --dry-run'],
  run: (project, input, { io, json }) => {
    const onPlan = (plan: Plan) => {
      if (!json) io.out(getPlanText(plan));
    };
    return withReporter(io, json, watch => recoverProject(project, { ...input, ...watch, onPlan }));
  },
  render: ({ dryRun, plan, ended }) => {
    if (!dryRun)
      return [
        ...ended.map(({ task, outcome, reason }) => `task ${task}: ${outcome} (${reason})`),
        'next: harness run --all',
      ];
    const next = 'harness run --all';
    const first = plan.length > 0 ? `harness recover, or ${next} which begins with it` : next;
    return ['No changes made.', `next: ${first}`];
  },
});

function getPlanText(plan: Plan): string {
  if (plan.length === 0) return 'nothing to recover';
  const lines = plan.flatMap(({ task, attempt, stage, lost, action, reason }) => [
    `task ${task}, attempt ${attempt}, left at ${stage}: ${lost}`,
    `  → ${action}: ${reason}`,
  ]);
  return lines.join('\n');
}
