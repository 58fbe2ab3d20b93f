import { getShellQuoted } from '../base/shell-quoted.ts';
import { getUtcMinute } from '../base/utc-minute.ts';
import type { OpenQuestion } from '../model/question.ts';

/** "I need X to continue", as a page for whoever can give it. */
export function getQuestionText(question: OpenQuestion): string {
  const { id, task, title, what, why, steps, check, options, askedAtMs } = question;
  const answers = options.map(
    ({ key, label }) => `- \`harness answer ${getShellQuoted(id)} ${key}\`: ${label}`,
  );
  return [
    `# I need: ${title}`,
    `${what.trim()}\n`,
    ...(why ? [`## Because\n\n${why.trim()}\n`] : []),
    ...(steps.length > 0 ? [`## Steps\n\n${steps.map((step, i) => `${i + 1}. ${step}`).join('\n')}\n`] : []),
    ...(check ? [`## Checked by\n\n${check}\n`] : []),
    `## Answers\n\n${answers.join('\n')}\n`,
    `Asked ${getUtcMinute(askedAtMs)} UTC${task === null ? '' : `, for task ${task}`}.\n`,
  ].join('\n');
}
