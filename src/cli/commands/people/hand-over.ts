import { type HandedOff, handOff, type Submitted, submitWork } from '../../../app/people/hand-over.ts';
import { isHandedOver } from '../../../app/people/handed-over.ts';
import type { RunResult } from '../../../app/run/run-tasks.ts';
import { submitAll, type TakenBack } from '../../../app/run/submit-all.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { defineCommand } from '../../command/define-command.ts';
import { by, optional } from '../../command/flags.ts';
import { getRunExitCode, getRunLines } from '../../render/run-end.ts';
import { withReporter } from '../../render/watch.ts';
import { runWatched } from '../work/run.ts';

export const handoff = defineCommand({
  name: 'handoff',
  group: 'deciding',
  summary: 'Do a task yourself, on a branch that has the work so far.',
  args: { task: optional('its id; without one, everything is paused') },
  flags: { by },
  examples: ['harness handoff 12'],
  run: handOff,
  render: getHandoffLines,
});

export function getHandoffLines(given: HandedOff): readonly string[] {
  const { task, branch, active, hasWork, landed, total, next } = given;
  return [
    ...(task === null
      ? ['paused: all tasks are yours']
      : [`task ${task} is yours; the other tasks continue`, `  git switch ${branch}`]),
    ...(hasWork ? ['  (what was done of it so far is on that branch)'] : []),
    ...active.map(id => `  task ${id} is in progress`),
    `  ${landed}/${total} tasks landed`,
    `next: ${next}   (when you are done, with everything committed${task === null ? '' : ' on that branch'})`,
  ];
}

export const takeback = defineCommand({
  name: 'takeback',
  group: 'deciding',
  summary: 'Submit your own work on a task, or on everything; it is judged like any other.',
  args: { task: optional('its id; without one, what you committed since harness handoff, or the one task') },
  flags: { by },
  examples: ['harness takeback 12'],
  run: async (project, input, { io, json }): Promise<Submitted | RunResult | TakenBack> => {
    if (input.task === undefined && (await isHandedOver(project)))
      return withReporter(io, json, watch => submitAll(project, { ...input, ...watch }));
    const taken = await submitWork(project, input);
    // Without a run under way nobody else would judge it.
    return taken.isRunning ? taken : runWatched(project, { task: taken.task }, { io, json });
  },
  exitCode: result =>
    'stopped' in result ? getRunExitCode(result) : 'proven' in result ? getTakenBackCode(result) : 0,
  render: result =>
    'stopped' in result
      ? getRunLines(result)
      : 'proven' in result
        ? getTakenBackLines(result)
        : getTakenLines(result),
});

/** Work that proves nothing yet is not what was asked for. */
function getTakenBackCode({ commits, proven }: TakenBack): number {
  return commits.length > 0 && proven.length === 0 ? EXIT_CODES.unproven : 0;
}

function getTakenBackLines(taken: TakenBack): readonly string[] {
  const { by, commits, proven, open, commit, tests, red, reopened, next } = taken;
  return [
    commits.length === 0 ? 'nothing was committed meanwhile' : `${by} committed:`,
    ...commits.map(line => `  ${line}`),
    ...proven.map(id => `task ${id}: proven by its tests`),
    ...open.map(({ task, reason }) => `task ${task}: open (${reason})`),
    ...reopened.map(id => `task ${id}: open again, what proved it fails now`),
    ...(commit === null ? [] : [`marked in ${commit.slice(0, 10)}`]),
    ...(tests === null ? [] : [`baseline: ${tests.passing} tests pass, ${tests.failing} fail`]),
    ...(red.length === 0
      ? []
      : [`red since the handoff: ${red.slice(0, 5).join(', ')}; the next run asks before an agent starts`]),
    `next: ${next}`,
  ];
}

function getTakenLines({ task, by, next }: Submitted): readonly string[] {
  return [`task ${task}: submitted by ${by}`, `next: ${next}`];
}
