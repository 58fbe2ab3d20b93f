import { abortRuns, controlRuns } from '../../../app/people/control.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { ControlMode } from '../../../core/model/facts.ts';
import { aside, defineCommand, type Terminal } from '../../command/define-command.ts';
import { by, reason, yes } from '../../command/flags.ts';
import { askYes, canAsk } from './ask.ts';

export const pause = defineControl('pause', 'Pause every run after its current operation.', {
  mode: 'paused',
  running: 'pausing after the current operation',
  idle: 'paused: no run starts until harness resume',
  known: 'already paused',
});

export const resume = defineControl('resume', 'Continue paused runs.', {
  mode: 'running',
  running: 'the active run continues',
  idle: 'resumed',
  known: 'nothing is paused',
});

export const stop = defineControl('stop', 'Stop every run after its current attempt.', {
  mode: 'stopped',
  running: 'stopping after the current attempt',
  idle: 'nothing is running',
  known: 'nothing is running',
});

/** What is said with a run under way, without one, and when it was known already. */
interface Control {
  readonly mode: ControlMode;
  readonly running: string;
  readonly idle: string;
  readonly known: string;
}

function defineControl(name: string, summary: string, { mode, running, idle, known }: Control) {
  return defineCommand({
    name,
    group: 'stopping',
    summary,
    flags: { reason, by },
    examples: [`harness ${name}`],
    run: (project, input) => controlRuns(project, { ...input, mode }),
    render: ({ recorded, runs, tookPauseFile, handedOver, goesOn, next }) => [
      ...(tookPauseFile ? [aside('note: signals/pause was there, and is taken away')] : []),
      recorded || tookPauseFile ? (runs.length > 0 ? running : idle) : known,
      ...goesOn.map(
        ({ id, title }) => `${runs.length > 0 ? 'it goes on with' : 'the next is'} task ${id}: ${title}`,
      ),
      ...(handedOver
        ? [
            aside(
              'note: what you committed since harness handoff is not judged yet: harness takeback does that',
            ),
          ]
        : []),
      `next: ${next}`,
    ],
  });
}

export const abort = defineCommand({
  name: 'abort',
  group: 'stopping',
  summary: 'Stop every run on this machine now; commits and records stay.',
  flags: {
    reason,
    by,
    clear: yes('also move the records to backups in the state directory'),
    yes: yes('do not ask'),
  },
  examples: ['harness abort', 'harness abort --clear --yes'],
  run: async (project, input, terminal) => {
    if (input.clear && !input.yes) await confirmClearing(terminal);
    return abortRuns(project, input);
  },
  render: ({ ended, backup, next }) => [
    ended.length > 0 ? `ended: pid ${ended.join(', ')}; what was landed stays` : 'nothing is running',
    ...(backup ? [`the records are cleared; a copy is in ${backup}`] : []),
    `next: ${next}`,
  ],
});

async function confirmClearing({ io }: Terminal): Promise<void> {
  if (!canAsk(io)) {
    const fix = 'harness abort --clear --yes';
    throw new HarnessError('usage', 'clearing the records needs your confirmation', { field: '--yes', fix });
  }
  io.err('This ends every run and clears what the harness has recorded; commits stay as they are.');
  if (await askYes('Clear the records?')) return;
  throw new HarnessError('cancelled', 'nothing was changed', { fix: 'harness abort stops without clearing' });
}
