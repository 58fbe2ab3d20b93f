import { readPersonName } from '../../../app/people/person.ts';
import { recordAnswer } from '../../../app/people/questions.ts';
import type { Project } from '../../../app/project/open-project.ts';
import { previewRun, type RunPreview } from '../../../app/run/preview-run.ts';
import { type RunInput, type RunResult, runTasks } from '../../../app/run/run-tasks.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { defineCommand, type Terminal } from '../../command/define-command.ts';
import { count, countOrAuto, text, yes } from '../../command/flags.ts';
import { getRunExitCode, getRunLines } from '../../render/run-end.ts';
import { withReporter } from '../../render/watch.ts';
import type { Io } from '../../terminal/io.ts';
import { getDurationMs, getMomentMs } from '../../terminal/parse-time.ts';
import type { Style } from '../../terminal/style.ts';
import { askOpen, canAsk } from '../people/ask.ts';

export const run = defineCommand({
  name: 'run',
  group: 'main',
  summary: 'Work on the next task until it is landed, rejected or given up.',
  flags: {
    all: yes('continue until no task is ready'),
    task: text('<id>', 'work on this task only'),
    workers: countOrAuto('<n>', 'so many agents at once, or auto: as many as the machine carries'),
    maxSessions: count('<n>', 'stop after so many attempts'),
    maxTasks: count('<n>', 'stop after so many landed tasks'),
    for: text('<duration>', 'start no new task after this time: 30m, 8h'),
    maintain: yes('keep running when everything has landed: watch for broken tests and new tasks'),
    until: text('<time>', 'start no new task after this moment: 07:00, or a date'),
    dryRun: yes('show the task, the prompt and what it may cost; start nothing'),
  },
  examples: ['harness run --all', 'harness run --all --workers 4', 'harness run --for 8h'],
  run: (project, { dryRun, ...input }, { io, json }): Promise<RunResult | RunPreview> => {
    if (dryRun) return previewRun(project, input);
    refuseSingle(input);
    return runWatched(project, { ...input, ...getEnd(input) }, { io, json });
  },
  render: (result, { style }) => ('dryRun' in result ? getPreviewLines(result, style) : getRunLines(result)),
  exitCode: result => ('dryRun' in result ? 0 : getRunExitCode(result)),
});

/** One attempt is made by one worker. */
function refuseSingle(input: RunInput): void {
  const { workers = 1, all, maintain, maxTasks, maxSessions = 1 } = input;
  const isMore = all || maintain || maxTasks !== undefined || maxSessions > 1;
  if (workers === 1 || (input.task === undefined && (isMore || 'for' in input || 'until' in input))) return;
  throw new HarnessError('usage', `--workers ${workers} is for a run of more than one task`, {
    field: '--workers',
    fix: input.task === undefined ? 'add --all' : 'leave out --task, or --workers',
  });
}

/** When it begins nothing more, as people say it. */
function getEnd(input: { readonly for?: string; readonly until?: string }) {
  if (input.for !== undefined && input.until !== undefined)
    throw new HarnessError('usage', '--for and --until cannot be combined', {
      fix: 'use one of them',
    });
  if (input.for !== undefined) return { forMs: getDurationMs(input.for, '--for') };
  if (input.until !== undefined) return { untilMs: getMomentMs(input.until, Date.now(), '--until') };
  return {};
}

/** A run that somebody may be watching: they see what goes on, and are asked what it waits for. */
export function runWatched(
  project: Project,
  input: RunInput,
  { io, json }: Pick<Terminal, 'io' | 'json'>,
): Promise<RunResult> {
  const asked = !json && canAsk(io) ? { ask: getAsker(io, project) } : {};
  return withReporter(io, json, watch => runTasks(project, { ...input, ...asked, ...watch }));
}

function getAsker(io: Io, project: Project): NonNullable<RunInput['ask']> {
  return async questions => {
    const by = await readPersonName(project.root, undefined);
    const store = await project.store();
    return askOpen(io, typed => recordAnswer(store, project.policy, { ...typed, by }), questions);
  };
}

function getPreviewLines(preview: RunPreview, style: Style): readonly string[] {
  if (preview.task === null)
    return [`Nothing to run: ${preview.why}`, 'No changes made.', 'next: harness status'];
  const head = `on ${style.bold(`task ${preview.task}`)}: ${preview.title}`;
  if ('decided' in preview)
    return [
      `Would start no agent ${head}`,
      '',
      `Decided:     ${preview.decided}`,
      '',
      'No changes made.',
      style.dim('next: harness run'),
    ];
  const { costGuessUsd } = preview;
  const cost =
    costGuessUsd === null
      ? 'no sessions yet to guess from'
      : `about $${costGuessUsd.toFixed(2)}, the mean so far`;
  const prompt = preview.prompt.trimEnd().split('\n');
  return [
    `Would run session ${preview.session} ${head}`,
    '',
    `Prompt type: ${preview.promptType}`,
    `Attempt:     ${preview.attempt} (at most ${preview.maxAttempts} that count)`,
    ...(preview.testFile ? [`Test file:   ${preview.testFile}`] : []),
    ...(preview.validation ? [`Validation:  ${preview.validation}`] : []),
    `Agent:       ${preview.agent}`,
    `Base:        ${preview.base.slice(0, 10)}`,
    `Cost:        ${cost}`,
    '',
    'Prompt:',
    ...prompt.map(line => `  ${style.dim('│')} ${line}`.trimEnd()),
    '',
    'No changes made.',
    style.dim('next: harness run'),
  ];
}
