import {
  type Reviewed,
  readWorkToReview,
  reviewWork,
  type WorkToReview,
} from '../../../app/people/review.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { defineCommand, type Terminal } from '../../command/define-command.ts';
import { argument, by, text, yes } from '../../command/flags.ts';
import { canAsk, readTyped } from './ask.ts';

export const approve = defineCommand({
  name: 'approve',
  group: 'main',
  summary: 'Approve work that waits for a person, or send it back.',
  args: { task: argument('its id') },
  flags: {
    sendBack: text('<reason>', 'reject it: an agent continues from it, and reads this'),
    note: text('<text>', 'what you saw, for the record'),
    by,
  },
  examples: ['harness approve 3', 'harness approve 3 --send-back "the button is cut off"'],
  run: (project, { sendBack, ...input }) =>
    reviewWork(
      project,
      sendBack === undefined ? { ...input, passed: true } : { ...input, passed: false, note: sendBack },
    ),
  render: getReviewLines,
});

export const manualVerify = defineCommand({
  name: 'manual-verify',
  group: 'deciding',
  summary: 'Record your verdict on work that a person has to check.',
  args: { task: argument('its id; without --pass or --fail you are shown what to look at') },
  flags: {
    pass: yes('approve: it lands'),
    fail: yes('reject: it goes back to an agent'),
    note: text('<text>', 'what you saw; required with --fail'),
    by,
  },
  examples: ['harness manual-verify 3 --fail --note "the button is cut off"'],
  run: async (project, { pass = false, fail = false, ...input }, terminal) => {
    if (pass && fail) {
      const fix = 'harness approve 3, or harness approve 3 --send-back "what is wrong"';
      throw new HarnessError('usage', '--pass and --fail cannot be combined', { field: '--pass', fix });
    }
    if (pass || fail) return reviewWork(project, { ...input, passed: pass });
    const work = await readWorkToReview(project, input.task);
    const answer = await askHowItLooks(work, terminal);
    return answer === null ? work : reviewWork(project, { ...input, ...answer });
  },
  exitCode: result => ('question' in result ? EXIT_CODES.human : 0),
  render: result => ('question' in result ? getQuestionLines(result) : getReviewLines(result)),
});

/** At a terminal: yes, no with what is wrong, or nothing for later. */
async function askHowItLooks(
  work: WorkToReview,
  { io, json }: Terminal,
): Promise<{ readonly passed: boolean; readonly note?: string } | null> {
  if (json || !canAsk(io)) return null;
  for (const line of getLookLines(work)) io.err(line);
  const typed = (await readTyped('Is all of it as it should be? [y/n] (empty: later) ')).trim();
  if (/^y(es)?$/i.test(typed)) return { passed: true };
  return /^no?$/i.test(typed) ? { passed: false, note: await readTyped('What is wrong? ') } : null;
}

function getLookLines({ task, title, question }: WorkToReview): readonly string[] {
  return [`Task ${task}: ${title}`, ...question.map(line => `  ${line}`)];
}

function getQuestionLines(work: WorkToReview): readonly string[] {
  const { task } = work;
  return [
    ...getLookLines(work),
    `next: harness approve ${getShellQuoted(task)}   or   harness approve ${getShellQuoted(task)} --send-back "what is wrong"`,
  ];
}

function getReviewLines({ task, recorded, passed, by, next }: Reviewed): readonly string[] {
  const effect = passed
    ? 'it lands without an agent working on it again'
    : 'it goes back to the agent, with your note';
  const isWaiting = next !== 'harness status';
  return [
    recorded
      ? `task ${task}: recorded ${passed ? 'yes' : 'no'} from ${by}; ${effect}`
      : `task ${task}: already recorded`,
    `next: ${next}${isWaiting ? '   (an active run picks it up)' : ''}`,
  ];
}
