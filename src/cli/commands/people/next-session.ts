import { askForCleanup } from '../../../app/people/control.ts';
import { leaveFile } from '../../../app/people/leave-file.ts';
import { DROP_ROLES } from '../../../core/model/drop.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, choice, or } from '../../command/flags.ts';
import { by, reason } from './shared-flags.ts';

export const cleanup = defineCommand({
  name: 'cleanup',
  group: 'working',
  summary: 'Let the next session tidy the code.',
  flags: { reason, by },
  examples: ['harness cleanup'],
  run: askForCleanup,
  render: ({ recorded, next }) => [
    recorded ? 'the next session cleans up' : 'that is known already',
    `next: ${next}`,
  ],
});

export const drop = defineCommand({
  name: 'drop',
  group: 'working',
  on: 'checkout',
  summary: 'Leave a text file for the next agent of a role, which is told of it once.',
  args: { file: argument('what it has to know') },
  flags: { role: or(choice('<name>', 'whom it is for', DROP_ROLES), 'coding') },
  examples: ['harness drop legal-answer.md --role planner'],
  run: (checkout, input, { io }) => leaveFile(checkout, { ...input, cwd: io.cwd }),
  render: ({ file, role, next }) => [
    `${file} waits for the next session with the role ${role}`,
    `next: ${next}`,
  ],
});
