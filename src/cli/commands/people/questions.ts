import { answerQuestion, readInbox } from '../../../app/people/questions.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, by, optional, text } from '../../command/flags.ts';
import { getQuestionLines } from './ask.ts';
import { getHandoffLines } from './hand-over.ts';

export const inbox = defineCommand({
  name: 'inbox',
  group: 'main',
  summary: 'List the open questions, with their possible answers.',
  examples: ['harness inbox'],
  run: readInbox,
  render: ({ questions, next }) => [
    ...(questions.length === 0 ? ['no open questions'] : []),
    ...questions.map(question => `${getQuestionLines(question).join('\n')}\n`),
    `next: ${next}`,
  ],
});

export const answer = defineCommand({
  name: 'answer',
  group: 'deciding',
  summary: 'Answer an open question; the task continues.',
  args: {
    id: argument('id of the question, or of the task that waits'),
    option: optional('one of the answers in harness inbox'),
  },
  flags: { text: text('<text>', 'your own words; they are added to the next prompt of the task'), by },
  examples: ['harness answer agent-3-1 --text "the key is in .env"'],
  run: answerQuestion,
  render: result => {
    if (!('label' in result)) return getHandoffLines(result);
    const { id, label, next } = result;
    return [`${id}: ${label.replace(/[:,] (or to )?--text.*/, '')}`, `next: ${next}`];
  },
});
