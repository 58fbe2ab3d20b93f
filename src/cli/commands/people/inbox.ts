import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import type { OpenQuestion } from '../../../core/model/question.ts';
import { getOpenQuestions } from '../../../core/people/due-question.ts';
import { Journal } from '../../../loop/journal.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

/** `harness inbox`: everything that waits for a person, with what can be answered. */
export async function inbox(io: Io, options: CommonOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const store = await openProjectStore(project);
  try {
    const journal = new Journal(store, async () => undefined);
    await journal.refresh();
    const questions = getOpenQuestions(journal.state, project.policy);
    const next = questions[0] ? getExample(questions[0]) : 'harness status';
    if (options.json) {
      io.out(JSON.stringify({ questions, next }));
      return;
    }
    if (questions.length === 0) io.out('nobody waits for an answer');
    for (const question of questions) io.out(`${getQuestionLines(question).join('\n')}\n`);
    io.out(`next: ${next}`);
  } finally {
    await store.close();
  }
}

/** A question as people read it: what, why, how, how it is checked, and what can be said. */
export function getQuestionLines(question: OpenQuestion): readonly string[] {
  const { id, title, what, why, steps, check, options, askedAtMs } = question;
  const at = new Date(askedAtMs).toISOString().slice(0, 16).replace('T', ' ');
  const width = Math.max(...options.map(({ key }) => key.length));
  return [
    `${id}   ${title}   (since ${at} UTC)`,
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

function getExample({ id, options }: OpenQuestion): string {
  const [first] = options;
  const text = first?.effect === 'continue' ? ' --text "…"' : '';
  return `harness answer ${id} ${first?.key ?? ''}${text}`;
}
