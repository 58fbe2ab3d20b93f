import { answerQuestion, readInbox } from '../../../app/people/questions.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, optional, text } from '../../command/flags.ts';
import { getQuestionLines } from '../../render/question-lines.ts';
import { getHandoffLines } from './hand-over.ts';
import { by } from './shared-flags.ts';

export const inbox = defineCommand({
  name: 'inbox',
  group: 'main',
  summary: 'Show what waits for you: every open question, with its answers.',
  examples: ['harness inbox'],
  run: readInbox,
  render: ({ questions, next }) => [
    ...(questions.length === 0 ? ['nobody waits for an answer'] : []),
    ...questions.map(question => `${getQuestionLines(question).join('\n')}\n`),
    `next: ${next}`,
  ],
});

export const answer = defineCommand({
  name: 'answer',
  group: 'deciding',
  summary: 'Answer a question; what waited for it goes on.',
  args: {
    id: argument('of the question, or of the task that waits for it'),
    option: optional('one of the answers that harness inbox shows'),
  },
  flags: { text: text('<text>', 'what you have to say; whoever works on the task next gets to read it'), by },
  examples: ['harness answer agent-3-1 --text "the key is in .env"'],
  run: answerQuestion,
  render: result => {
    if (!('label' in result)) return getHandoffLines(result);
    const { id, label, next } = result;
    return [`${id}: ${label.replace(/[:,] (or to )?--text.*/, '')}`, `next: ${next}`];
  },
});
