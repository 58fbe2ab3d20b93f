import { withProject } from '../../../app/project/open-project.ts';
import { type RecoverResult, recover as recoverProject } from '../../../app/run/recover.ts';
import { type RestoreResult, restoreFiles } from '../../../app/run/restore.ts';
import { defineCommand } from '../../command/define-command.ts';
import { yes } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';

type Plan = RecoverResult['plan'];

export const recover = defineCommand({
  name: 'recover',
  group: 'working',
  summary: 'Repair what a killed run left behind; start nothing new.',
  // A configuration that cannot be read is one of the things that are restored.
  on: 'folder',
  flags: {
    dryRun: yes('show what would be done, and why; do nothing'),
    restore: yes('put back the backlog and configuration of this checkout, where they cannot be read'),
  },
  remark: 'Every run begins with the same, except for --restore.',
  examples: ['harness recover --dry-run', 'harness recover --restore'],
  run: async (where, input, { io, json }): Promise<RecoverResult | RestoreResult> => {
    if (input.restore) return restoreFiles(where, input);
    const onPlan = (plan: Plan, damage: string | null) => {
      if (json) return;
      if (plan.length > 0 || damage === null) io.out(getPlanText(plan));
      if (damage !== null) io.out(damage);
    };
    return withProject(where, project =>
      withReporter(io, json, watch => recoverProject(project, { ...input, ...watch, onPlan })),
    );
  },
  render: result => ('restored' in result ? getRestoreLines(result) : getRecoverLines(result)),
});

function getRecoverLines({ dryRun, plan, ended, damage }: RecoverResult): readonly string[] {
  const next = damage === null ? 'harness run --all' : 'harness recover --restore';
  if (!dryRun)
    return [
      ...ended.map(({ task, outcome, reason }) => `task ${task}: ${outcome} (${reason})`),
      `next: ${next}`,
    ];
  const first =
    plan.length > 0 && damage === null ? `harness recover, or ${next} which begins with it` : next;
  return ['No changes made.', `next: ${first}`];
}

function getRestoreLines({ dryRun, restored }: RestoreResult): readonly string[] {
  if (restored.length === 0) return ['nothing to restore: backlog and configuration can be read'];
  const lines = restored.flatMap(({ file, why, from, backup }) => [
    why,
    `  → ${file} ${dryRun ? 'would be' : 'is'} as in ${from}; the damaged one is kept as ${backup}`,
  ]);
  const files = restored.map(({ file }) => file).join(' ');
  return dryRun
    ? [...lines, 'No changes made.', 'next: harness recover --restore']
    : [...lines, `next: git add ${files} && git commit -m "Restore ${files}"`];
}

function getPlanText(plan: Plan): string {
  if (plan.length === 0) return 'nothing to recover';
  const lines = plan.flatMap(({ task, attempt, stage, lost, action, reason }) => [
    `task ${task}, attempt ${attempt}, left at ${stage}: ${lost}`,
    `  → ${action}: ${reason}`,
  ]);
  return lines.join('\n');
}
