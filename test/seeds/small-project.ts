import assert from 'node:assert/strict';
import { CONFIG, getBacklog } from '../support/sample-project.ts';
import type { Ran, SeedProject, Stage } from './stage.ts';

/** Tasks of a small project as somebody writes them; the test of each wants a file of its number in src. */
export type Small = Readonly<Record<string, unknown>> & { readonly id: number };

interface SmallProject {
  readonly tasks: readonly Small[];
  /** What the agent plays, by task; what is not named is done. */
  readonly agent?: Readonly<Record<string, string>>;
  /** More of the configuration. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** What an agent plays that does a task, after what is given. */
export const done = (id: number | string, before = ''): string =>
  `[${before}{ edit: { file: src/${id}.txt, content: "${id}" } }, { claim: done }]`;

export function small(
  stage: Stage,
  { tasks, agent = {}, config = '', files = {} }: SmallProject,
): SeedProject {
  const plays = tasks.map(({ id }) => `  "${id}": ${agent[String(id)] ?? done(id)}`);
  const others = Object.entries(agent).filter(([id]) => !tasks.some(task => String(task.id) === id));
  const tests = tasks.map(({ id }) => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`]);
  const listed = tasks.map(task => ({
    ...{ description: `Thing ${task.id} exists`, test_file: `test/thing-${task.id}.sh`, passes: false },
    ...task,
  }));
  return stage.project({
    '.harness.yaml': CONFIG + config,
    'features.json': getBacklog(listed),
    'agent.yaml': `tasks:\n${[...plays, ...others.map(([id, play]) => `  "${id}": ${play}`)].join('\n')}\n`,
    ...Object.fromEntries(tests),
    ...files,
  });
}

export interface Asked {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly options: readonly { readonly key: string }[];
}

/** What is in the inbox. */
export async function getInbox(project: SeedProject): Promise<readonly Asked[]> {
  return (await project.json<{ questions: Asked[] }>('inbox')).questions;
}

/** The one open question of a kind, which offers these answers. */
export async function getAsked(project: SeedProject, kind: string, keys: string): Promise<Asked> {
  const open = await getInbox(project);
  const [found, ...others] = open.filter(question => question.kind === kind);
  assert.ok(found && others.length === 0, `${kind} is not the one question: ${JSON.stringify(open)}`);
  assert.equal(found.options.map(({ key }) => key).join(' '), keys);
  return found;
}

export const answer = (project: SeedProject, ...args: readonly string[]): Promise<Ran> =>
  project.harness('answer', ...args, '--by', 'Ada');

export async function getTask(
  project: SeedProject,
  id: number | string,
): Promise<{ readonly status: string }> {
  const { tasks } = await project.json<{ tasks: { id: string; status: string }[] }>('status', '--all');
  const found = tasks.find(task => task.id === String(id));
  assert.ok(found, `there is no task ${id}`);
  return found;
}

/** How many sessions were paid for. */
export async function countSessions(project: SeedProject): Promise<number> {
  const { out } = await project.harness('log', '--type', 'session.started', '--json');
  return out.split('\n').filter(Boolean).length;
}

export function expectCode({ code, text }: Ran, expected: number): void {
  assert.equal(code, expected, text);
}
