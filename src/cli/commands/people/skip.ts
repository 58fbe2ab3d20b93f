import { skipTask } from '../../../app/people/skip-task.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, text } from '../../command/flags.ts';
import { by } from './shared-flags.ts';

export const skip = defineCommand({
  name: 'skip',
  group: 'working',
  summary: 'Leave a task out, and what builds on it, until it is reset.',
  args: { task: argument('its id') },
  flags: { reason: text('<text>', 'why, for the record (needed)'), by },
  examples: ['harness skip 12 --reason "waits for the new API"'],
  run: skipTask,
  render: ({ task, recorded, next }) => [
    recorded ? `task ${task} is skipped; the others go on` : `task ${task}: that is known already`,
    `next: ${next}   (brings it back)`,
  ],
});
