import { overrideTask, skipTask } from '../../../app/people/decisions.ts';
import { aside, defineCommand } from '../../command/define-command.ts';
import { argument, by, text, yes } from '../../command/flags.ts';

const needed = text('<text>', 'the reason, for the record (required)');

export const skip = defineCommand({
  name: 'skip',
  group: 'working',
  summary: 'Skip a task and what depends on it, until it is reset.',
  args: { task: argument('its id') },
  flags: { reason: needed, by },
  examples: ['harness skip 12 --reason "waits for the new API"'],
  run: skipTask,
  render: ({ task, recorded, next }) => [
    recorded ? `task ${task} is skipped; the other tasks continue` : `task ${task}: already recorded`,
    `next: ${next}   (brings it back)`,
  ],
});

export const override = defineCommand({
  name: 'override',
  group: 'deciding',
  summary: 'Mark a task as done without a proof; it stays marked as unproven.',
  args: { task: argument('its id') },
  flags: {
    reason: needed,
    withWork: yes('land the kept work of its last attempt as well'),
    by,
  },
  examples: ['harness override 3 --reason "done by hand, and checked on the device"'],
  run: overrideTask,
  render: ({ task, recorded, landed, unproven, next }) => {
    if (landed)
      return [
        `task ${task} has landed already${unproven ? ', unproven' : ' and is proven'}`,
        `next: ${next}`,
      ];
    const warning = `WARNING: nothing proves task ${task}. It is recorded as unproven, and will be shown as such for good.`;
    return [
      ...(recorded
        ? [aside(warning), `task ${task} will count as done, unproven`]
        : [`task ${task}: already recorded`]),
      `next: ${next}   (marks it in the backlog; an active run does so)`,
    ];
  },
});
