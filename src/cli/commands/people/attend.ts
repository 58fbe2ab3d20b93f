import { createInterface } from 'node:readline/promises';
import { recordAnswer } from '../../../app/people/questions.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { Policy } from '../../../core/model/policy.ts';
import type { OpenQuestion } from '../../../core/model/question.ts';
import type { Store } from '../../../ports/index.ts';
import { getQuestionLines } from '../../render/question-lines.ts';
import type { Io } from '../../terminal/io.ts';

/** Puts open questions to somebody at the terminal, and says which they answered; the others stay in the inbox. */
export async function askOpen(
  io: Pick<Io, 'err'>,
  record: { readonly store: Store; readonly policy: Policy; readonly by: string },
  questions: readonly OpenQuestion[],
  readLine: (prompt: string) => Promise<string> = readTyped,
): Promise<readonly string[]> {
  const answered: string[] = [];
  for (const question of questions) {
    io.err(`\n${getQuestionLines(question).join('\n')}`);
    if (await askOne(io, record, question, readLine)) answered.push(question.id);
  }
  return answered;
}

async function askOne(
  io: Pick<Io, 'err'>,
  { store, policy, by }: { readonly store: Store; readonly policy: Policy; readonly by: string },
  { id }: OpenQuestion,
  readLine: (prompt: string) => Promise<string>,
): Promise<boolean> {
  for (;;) {
    const line = (await readLine('  Your answer, with more words if you like (empty: later)> ')).trim();
    if (line === '') return false;
    const [key = '', ...words] = line.split(/\s+/);
    try {
      await recordAnswer(store, policy, { id, key, text: words.join(' '), by });
      return true;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      io.err(`  ${error.message}`);
    }
  }
}

/** End of input means later. */
async function readTyped(prompt: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('close', () => resolve(''));
      lines.question(prompt).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
}
