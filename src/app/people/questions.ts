import { writeQuestionFiles } from '../../adapters/artifacts/question-files.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getNearest } from '../../core/base/nearest.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { OpenQuestion, QuestionOption } from '../../core/model/question.ts';
import { getAnswerEvents, getSpentUsd } from '../../core/people/answer-question.ts';
import { getOpenQuestions } from '../../core/people/due-question.ts';
import type { State } from '../../core/state/state.ts';
import type { Store } from '../../ports/index.ts';
import type { Project } from '../project/open-project.ts';
import { fetchHeld } from './fetch-held.ts';
import { type HandedOff, handOff } from './hand-over.ts';
import { readPersonName, recordDecision } from './person.ts';

export interface Inbox {
  readonly questions: readonly OpenQuestion[];
  readonly next: string;
}

/** Everything that waits for a person, with what can be answered. */
export async function readInbox(project: Project): Promise<Inbox> {
  const { state } = await recordDecision(await project.store(), () => []);
  const questions = getOpenQuestions(state, project.policy);
  await fetchHeld(project, state.tasks.values());
  return { questions, next: questions[0] ? getExample(questions[0]) : 'harness status' };
}

function getExample({ id, options }: OpenQuestion): string {
  const [first] = options;
  const text = first?.effect === 'continue' ? ' --text "…"' : '';
  return `harness answer ${getShellQuoted(id)} ${first?.key ?? ''}${text}`;
}

/** What a person says to a question. */
export interface Answer {
  /** Of the question, or of the task that waits for it. */
  readonly id: string;
  /** The key of one of its options; without one, the text is the answer to an open question. */
  readonly option?: string;
  readonly text?: string;
  readonly by?: string;
}

export interface Answered {
  readonly id: string;
  readonly task: string | null;
  readonly option: string;
  readonly effect: QuestionOption['effect'];
  /** What that option means, in words. */
  readonly label: string;
  readonly recorded: true;
  readonly next: string;
}

/** Says what a person decided; a run under way goes on with it by itself. */
export async function answerQuestion(project: Project, input: Answer): Promise<Answered | HandedOff> {
  const by = await readPersonName(project.root, input.by);
  const text = input.text?.trim() ?? '';
  const answer = { id: input.id, key: input.option, text, by };
  const { question, option, state } = await recordAnswer(await project.store(), project.policy, answer);
  writeQuestionFiles(project.stateDir, state);
  const { id, task } = question;
  if (option.effect === 'handoff' && task !== null) return handOff(project, { task, by });
  const { key, effect, label } = option;
  const next = getNext(question, option);
  return { id, task, option: key, effect, label, recorded: true, next };
}

/** Records an answer with everything that follows from it, on the newest state there is. */
export async function recordAnswer(
  store: Store,
  policy: Policy,
  input: {
    readonly id: string;
    readonly key: string | undefined;
    readonly text: string;
    readonly by: string;
  },
): Promise<{ readonly question: OpenQuestion; readonly option: QuestionOption; readonly state: State }> {
  const { text, by } = input;
  const find = (state: State) => {
    const question = findQuestion(state, policy, input.id);
    return { question, option: getOption(question, input.key, text) };
  };
  let found: ReturnType<typeof find> | undefined;
  const { state } = await recordDecision(store, now => {
    found = find(now);
    checkText(now, found, text);
    return getAnswerEvents(now, found.question, { option: found.option, text, by });
  });
  return { ...(found ?? find(state)), state };
}

/** By its id, or by the task that waits for it. */
function findQuestion(state: State, policy: Policy, id: string): OpenQuestion {
  const open = getOpenQuestions(state, policy);
  const found = open.find(question => question.id === id) ?? open.find(({ task }) => task === id);
  if (found) return found;
  const known = open.map(question => question.id);
  const near = getNearest(id, known);
  const fix = near ? `did you mean ${near}?` : 'harness inbox lists the questions that are open';
  throw new HarnessError('usage', `no question "${id}" is open`, { field: '<id>', fix });
}

function getOption(question: OpenQuestion, key: string | undefined, text: string): QuestionOption {
  const { id, options } = question;
  const open = options.find(({ effect }) => effect === 'continue');
  if (key === undefined && text !== '' && open) return open;
  const found = key === undefined ? undefined : findOption(options, key.toLowerCase());
  if (found) return found;
  const keys = options.map(option => option.key).join(', ');
  const message = key === undefined ? 'what is the answer?' : `"${key}" is no answer to ${id}`;
  throw new HarnessError('usage', message, {
    field: '[option]',
    fix: `harness answer ${getShellQuoted(id)} <one of: ${keys}>`,
  });
}

const YES_OR_NO: Readonly<Record<string, string>> = { y: 'pass', yes: 'pass', n: 'fail', no: 'fail' };

/** By its name, by yes or no, or by so many letters that no other begins so; `k` is the seldom taken one. */
function findOption(options: readonly QuestionOption[], typed: string): QuestionOption | undefined {
  const named = options.find(({ key }) => key === typed);
  const meant = options.find(({ effect }) => effect === YES_OR_NO[typed]);
  const begun = options.filter(({ key }) => (typed === 'k' ? key === 'skip' : key.startsWith(typed)));
  return named ?? meant ?? (typed !== '' && begun.length === 1 ? begun[0] : undefined);
}

function checkText(
  state: State,
  { question, option }: { readonly question: OpenQuestion; readonly option: QuestionOption },
  text: string,
): void {
  const { key, effect } = option;
  const fail = (message: string, example: string) =>
    new HarnessError('usage', message, {
      field: '--text',
      fix: `harness answer ${getShellQuoted(question.id)} ${key} --text "${example}"`,
    });
  if (effect === 'continue' && !text) throw fail('what shall the agent be told?', 'the key is in .env');
  if (effect === 'fail' && !text)
    throw fail('what is wrong with it? The agent gets to read it', 'it is cut off');
  if (effect !== 'raise' || text === '') return;
  const spentUsd = getSpentUsd(state, question);
  const toUsd = Number(text.replace(/^\$/, ''));
  if (!(toUsd > spentUsd))
    throw fail(
      `it has to be an amount above the $${spentUsd.toFixed(2)} that are spent`,
      String(Math.ceil(spentUsd * 2)),
    );
}

function getNext({ task }: OpenQuestion, { effect }: QuestionOption): string {
  switch (effect) {
    case 'split':
      return `harness split ${getShellQuoted(task ?? '')}`;
    case 'skip':
      return task === null ? 'harness run --all' : `harness reset ${getShellQuoted(task)}   (brings it back)`;
    case 'pause':
      return 'harness resume';
    case 'abort':
      return 'harness status';
    default:
      return 'harness run --all   (an active run continues)';
  }
}
