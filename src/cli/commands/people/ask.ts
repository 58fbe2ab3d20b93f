import { createInterface } from 'node:readline/promises';
import { HarnessError } from '../../../core/base/failure.ts';
import { getUtcMinute } from '../../../core/base/utc-minute.ts';
import type { OpenQuestion } from '../../../core/model/question.ts';
import { holdDrawing } from '../../terminal/hold-drawing.ts';
import type { Io } from '../../terminal/io.ts';

/** Whether somebody is there to answer. */
export function canAsk(io: Io): boolean {
  return io.isTty && process.stdin.isTTY === true;
}

/** A question that takes yes for yes and everything else for no. */
export function askYes(question: string): Promise<boolean> {
  return holdDrawing(async () => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
    } finally {
      lines.close();
    }
  });
}

/** One line of somebody at the terminal; empty where they say nothing. */
export async function askText(question: string): Promise<string> {
  return (await readTyped(`${question} `)).trim();
}

/** What somebody typed to a question. */
interface TypedAnswer {
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

/** Puts open questions to somebody at the terminal, and says which they answered; the others stay in the inbox. */
export function askOpen(
  io: Pick<Io, 'err'>,
  answer: (typed: TypedAnswer) => Promise<unknown>,
  questions: readonly OpenQuestion[],
  readLine: (prompt: string) => Promise<string> = readTyped,
): Promise<readonly string[]> {
  return holdDrawing(async () => {
    const answered: string[] = [];
    for (const question of questions) {
      io.err(`\n${getQuestionLines(question).join('\n')}`);
      if (await askOne(io, answer, question, readLine)) answered.push(question.id);
    }
    return answered;
  });
}

async function askOne(
  io: Pick<Io, 'err'>,
  answer: (typed: TypedAnswer) => Promise<unknown>,
  { id }: OpenQuestion,
  readLine: (prompt: string) => Promise<string>,
): Promise<boolean> {
  for (;;) {
    const line = (await readLine('  Your answer, with more words if you like (empty: later)> ')).trim();
    if (line === '') return false;
    const [key = '', ...words] = line.split(/\s+/);
    try {
      await answer({ id, key, text: words.join(' ') });
      return true;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      io.err(`  ${error.message}`);
    }
  }
}

/** End of input means later. */
export function readTyped(prompt: string): Promise<string> {
  return holdDrawing(async () => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await new Promise<string>((resolve, reject) => {
        lines.once('close', () => resolve(''));
        lines.question(prompt).then(resolve, reject);
      });
    } finally {
      lines.close();
    }
  });
}

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
