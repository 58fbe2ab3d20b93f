import { askForCleanup } from '../../../app/people/control.ts';
import { leaveFile } from '../../../app/people/leave-file.ts';
import { CONTEXT_FILE_ROLES } from '../../../core/model/context-file.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, by, choice, or, reason } from '../../command/flags.ts';

export const cleanup = defineCommand({
  name: 'cleanup',
  group: 'working',
  summary: 'Make the next session a clean-up of the code.',
  flags: { reason, by },
  examples: ['harness cleanup'],
  run: askForCleanup,
  render: ({ recorded, next }) => [
    recorded ? 'the next session cleans up' : 'already recorded',
    `next: ${next}`,
  ],
});

export const drop = defineCommand({
  name: 'drop',
  group: 'working',
  on: 'checkout',
  summary: 'Add a text file to the next prompt of a role, once.',
  args: { file: argument('what it has to know') },
  flags: { role: or(choice('<name>', 'whom it is for', CONTEXT_FILE_ROLES), 'coding') },
  examples: ['harness drop legal-answer.md --role planner'],
  run: (checkout, input, { io }) => leaveFile(checkout, { ...input, cwd: io.cwd }),
  render: ({ file, role, next }) => [
    `${file} waits for the next session with the role ${role}`,
    `next: ${next}`,
  ],
});
