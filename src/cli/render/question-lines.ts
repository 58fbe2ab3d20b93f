import { getUtcMinute } from '../../core/base/utc-minute.ts';
import type { OpenQuestion } from '../../core/model/question.ts';

/** A question as people read it: what, why, how, how it is checked, and what can be said. */
export function getQuestionLines(question: OpenQuestion): readonly string[] {
  const { id, title, what, why, steps, check, options, askedAtMs } = question;
  const width = Math.max(...options.map(({ key }) => key.length));
  return [
    `${id}   ${title}   (since ${getUtcMinute(askedAtMs)} UTC)`,
    `  I need:     ${what}`,
    ...(why ? [`  Because:    ${indent(why)}`] : []),
    ...steps.map((step, i) => `${i === 0 ? '  Steps:     ' : '             '} ${i + 1}. ${indent(step)}`),
    ...(check ? [`  Checked by: ${check}`] : []),
    ...options.map(
      ({ key, label }, i) => `${i === 0 ? '  Answers:   ' : '             '} ${key.padEnd(width)}   ${label}`,
    ),
  ];
}

function indent(text: string): string {
  return text.trimEnd().split('\n').slice(0, 12).join('\n              ');
}
