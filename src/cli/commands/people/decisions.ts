import { type OverrideInput, overrideTask, skipTask } from '../../../app/people/decisions.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { aside, defineCommand, type Terminal } from '../../command/define-command.ts';
import { argument, by, choice, text, yes } from '../../command/flags.ts';
import { askYes, canAsk, readTyped } from './ask.ts';

const needed = text('<text>', 'the reason, for the record (required)');

export const skip = defineCommand({
  name: 'skip',
  group: 'working',
  summary: 'Skip a task and what depends on it, until it is reset.',
  args: { task: argument('its id') },
  flags: { reason: needed, by },
  examples: ['harness skip 12 --reason "waits for the new API"'],
  run: skipTask,
  render: ({ task, recorded, waiting, next }) => [
    recorded ? `task ${task} is skipped; the other tasks continue` : `task ${task}: already recorded`,
    ...(waiting.length > 0 ? getWaitingLines(task, waiting) : []),
    `next: ${next}   (brings it back)`,
  ],
});

/** Why what builds on it does not go on, and the way on. */
function getWaitingLines(task: string, waiting: readonly string[]): readonly string[] {
  return [
    `waiting for it: ${waiting.join(', ')} (they would build on what is not there)`,
    `to let them go on: harness override ${getShellQuoted(task)} --reason "…"   (counts it as done, unproven)`,
  ];
}

export const override = defineCommand({
  name: 'override',
  group: 'deciding',
  summary: 'Mark a task as done without a proof; it stays marked as unproven.',
  args: { task: argument('its id') },
  flags: {
    passes: choice('<value>', 'false opens it again instead; default: true', ['true', 'false']),
    reason: text('<text>', 'the reason, for the record (required; at a terminal you are asked)'),
    withWork: yes('land the kept work of its last attempt as well'),
    yes: yes('do not ask'),
    by,
  },
  examples: ['harness override 3 --reason "done by hand, and checked on the device"'],
  run: async (project, { passes, ...input }, terminal) => {
    const given = { ...input, passes: passes !== 'false' };
    return overrideTask(project, { ...given, ...(await confirmOverride(given, terminal)) });
  },
  render: result => {
    const { task, recorded, next } = result;
    if ('open' in result)
      return [recorded ? `task ${task} is open again` : `task ${task}: is open already`, `next: ${next}`];
    const { landed, unproven } = result;
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

/** Whoever sits at a terminal says it twice: it stands in place of a proof for good. */
async function confirmOverride(
  input: Omit<OverrideInput, 'task'> & { readonly yes?: boolean },
  { io, json }: Terminal,
): Promise<{ readonly reason?: string }> {
  if (input.yes || json || !canAsk(io)) return {};
  const what = input.passes === false ? 'opens it again' : 'bypasses verification';
  if (!(await askYes(`WARNING: This ${what}. Are you sure?`)))
    throw new HarnessError('cancelled', 'nothing was changed', { fix: 'harness verify proves a task again' });
  return input.reason === undefined ? { reason: await readTyped('Reason, for the record: ') } : {};
}
