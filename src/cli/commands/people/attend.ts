import { createInterface } from 'node:readline/promises';
import { readPersonName } from '../../../app/people/person.ts';
import type { Project } from '../../../app/project/open-project.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { StopReason } from '../../../core/model/action.ts';
import type { Policy } from '../../../core/model/policy.ts';
import type { OpenQuestion } from '../../../core/model/question.ts';
import type { RunReport } from '../../../loop/loop.ts';
import type { Store } from '../../../ports/index.ts';
import type { Io } from '../../terminal/io.ts';
import { recordAnswer } from './answer.ts';
import { getQuestionLines } from './inbox.ts';

/** Ends that a person wanted: whatever they answer then is for the next run. */
const WANTED: ReadonlySet<StopReason> = new Set(['session-limit', 'task-limit', 'time', 'asked', 'paused']);

/** Where somebody sits at the terminal, a run that only waits for them asks, and goes on with the answer. */
export async function attend(
  io: Pick<Io, 'err'>,
  there: { readonly project: Project; readonly store: Store } | null,
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  const later = new Set<string>();
  for (let report = await run(); ; ) {
    const questions = report.questions.filter(({ id }) => !later.has(id));
    if (there === null || questions.length === 0) return report;
    const { project, store } = there;
    const by = await readPersonName(project.root, undefined);
    const answered = await askOpen(io, { store, policy: project.policy, by }, questions);
    for (const { id } of questions) if (!answered.includes(id)) later.add(id);
    if (answered.length === 0) return report;
    if (WANTED.has(report.why))
      return { ...report, questions: report.questions.filter(({ id }) => !answered.includes(id)) };
    const before = report.ended;
    const next = await run();
    report = { ...next, ended: [...before, ...next.ended] };
  }
}

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
