import { readPersonName, recordWord } from '../../../app/people/person.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { getNearest } from '../../../core/base/nearest.ts';
import type { Policy } from '../../../core/model/policy.ts';
import type { OpenQuestion, QuestionOption } from '../../../core/model/question.ts';
import { getAnswerEvents, type Said } from '../../../core/people/answer-question.ts';
import { getOpenQuestions } from '../../../core/people/due-question.ts';
import type { State } from '../../../core/state/state.ts';
import type { Store } from '../../../ports/index.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface AnswerOptions extends CommonOptions {
  readonly text?: string;
  readonly by?: string;
}

/** `harness answer`: says what a person decided; a run under way goes on with it by itself. */
export async function answer(
  io: Io,
  id: string,
  key: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  let done: Answered;
  try {
    const text = options.text?.trim() ?? '';
    done = await recordAnswer(store, project.policy, { id, key, text, by });
  } finally {
    await store.close();
  }
  const { question, option } = done;
  if (option.effect !== 'handoff' || question.task === null) return tell(io, done, options.json ?? false);
  const { handoff } = await import('./handoff.ts');
  return handoff(io, question.task, options);
}

export interface Answered {
  readonly question: OpenQuestion;
  readonly option: QuestionOption;
}

/** Records an answer with everything that follows from it, on the newest state there is. */
export async function recordAnswer(
  store: Store,
  policy: Policy,
  said: { readonly id: string; readonly key: string | undefined; readonly text: string; readonly by: string },
): Promise<Answered> {
  let answered: Answered | null = null;
  await recordWord(store, state => {
    const question = findQuestion(state, policy, said.id);
    const option = getOption(question, said.key, said.text);
    checkText(state, question, option, said.text);
    answered = { question, option };
    return getAnswerEvents(state, question, { option, text: said.text, by: said.by } satisfies Said);
  });
  return answered as unknown as Answered;
}

/** By its id, or by the task that waits for it. */
function findQuestion(state: State, policy: Policy, id: string): OpenQuestion {
  const open = getOpenQuestions(state, policy);
  const found = open.find(question => question.id === id) ?? open.find(({ task }) => task === id);
  if (found) return found;
  const near = getNearest(
    id,
    open.map(question => question.id),
  );
  const fix = near ? `did you mean ${near}?` : 'harness inbox lists the questions that are open';
  throw new HarnessError('usage', `no question "${id}" is open`, { field: '<id>', fix });
}

function getOption(question: OpenQuestion, key: string | undefined, text: string): QuestionOption {
  const { id, options } = question;
  const open = options.find(({ effect }) => effect === 'continue');
  if (key === undefined && text !== '' && open) return open;
  const found = options.find(option => option.key === key);
  if (found) return found;
  const keys = options.map(option => option.key).join(', ');
  const message = key === undefined ? 'what is the answer?' : `"${key}" is no answer to ${id}`;
  throw new HarnessError('usage', message, {
    field: '[option]',
    fix: `harness answer ${id} <one of: ${keys}>`,
  });
}

function checkText(
  state: State,
  question: OpenQuestion,
  { key, effect }: QuestionOption,
  text: string,
): void {
  const fail = (message: string, example: string) =>
    new HarnessError('usage', message, {
      field: '--text',
      fix: `harness answer ${question.id} ${key} --text "${example}"`,
    });
  if (effect === 'continue' && !text) throw fail('what shall the agent be told?', 'the key is in .env');
  if (effect === 'fail' && !text)
    throw fail('what is wrong with it? The agent gets to read it', 'it is cut off');
  if (effect !== 'raise' || text === '') return;
  const spentUsd =
    (question.task === null ? state.costs : state.tasks.get(question.task))?.usage.costUsd ?? 0;
  const toUsd = Number(text.replace(/^\$/, ''));
  if (!(toUsd > spentUsd))
    throw fail(
      `it has to be an amount above the $${spentUsd.toFixed(2)} that are spent`,
      String(Math.ceil(spentUsd * 2)),
    );
}

function tell(io: Io, { question, option }: Answered, json: boolean): void {
  const { id, task } = question;
  const next = getNext(question, option);
  if (json)
    io.out(JSON.stringify({ id, task, option: option.key, effect: option.effect, recorded: true, next }));
  else io.out(`${id}: ${option.label.replace(/[:,] (or to )?--text.*/, '')}\nnext: ${next}`);
}

function getNext({ task }: OpenQuestion, { effect }: QuestionOption): string {
  switch (effect) {
    case 'split':
      return `harness split ${task}`;
    case 'skip':
      return task === null ? 'harness run --all' : `harness reset ${task}   (brings it back)`;
    case 'pause':
      return 'harness resume';
    case 'abort':
      return 'harness status';
    default:
      return 'harness run --all   (a run that is under way goes on by itself)';
  }
}
