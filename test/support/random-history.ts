import type { HarnessEvent, StoredEvent } from '../../src/core/events/event.ts';
import { apply } from '../../src/core/events/fold.ts';
import type { TaskDef, TaskStatus } from '../../src/core/model/task.ts';
import { getAnswerEvents } from '../../src/core/people/answer-question.ts';
import { getOpenQuestions } from '../../src/core/people/due-question.ts';
import { getEscalation } from '../../src/core/people/escalation.ts';
import { createState, type State } from '../../src/core/state/state.ts';
import type { TaskState } from '../../src/core/state/task-state.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { makeTask, STORY_START_MS } from './history.ts';
import { ended, landed, synced, upTo } from './pipeline.ts';

const POOL = ['1', '2', '3', '10', 'a-1', 'a-2', 'a-10', 'z'] as const;

/** Turns a list of numbers into a history in which every event is legal when it happens. */
export function playHistory(choices: readonly number[]): StoredEvent[] {
  const state = createState();
  const history: StoredEvent[] = [];
  const dice = createDice(choices);
  while (dice.left()) {
    for (const event of getNext(state, dice)) {
      const at = history.length + 1;
      const stored = { seq: at, stream: 'project', version: at, atMs: STORY_START_MS + at * 10, event };
      apply(state, stored);
      history.push(stored);
    }
  }
  return history;
}

interface Dice {
  left(): boolean;
  below(n: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

function createDice(choices: readonly number[]): Dice {
  let next = 0;
  const below = (n: number): number => (choices[next++] ?? 0) % n;
  return { left: () => next < choices.length, below, pick: items => items[below(items.length || 1)] };
}

function getNext(state: State, dice: Dice): readonly HarnessEvent[] {
  switch (dice.below(12)) {
    case 0:
    case 1:
      return [synced(getDefs(dice), getFlags(state, dice))];
    case 2: {
      const task = dice.pick(getTasks(state, ['pending', 'retry']));
      return task ? [{ type: 'task.blocked', task: task.def.id, reason: 'by hand' }] : [];
    }
    case 3: {
      const task = dice.pick(getTasks(state, ['pending', 'retry', 'failed', 'blocked', 'landed']));
      return task ? [{ type: 'task.reset', task: task.def.id, reason: 'by hand' }] : [];
    }
    case 4: {
      const task = dice.pick(getTasks(state, ['pending', 'retry', 'failed', 'blocked']));
      const said = { reason: 'by hand', by: 'somebody', workOf: null, unproven: true } as const;
      return task ? [{ type: 'task.overridden', task: task.def.id, ...said }] : [];
    }
    case 5:
    case 6:
    case 7:
      return start(state, dice);
    case 10:
      return ask(state, dice);
    case 11:
      return answer(state, dice);
    default:
      return end(state, dice);
  }
}

/** About a task that stopped, or one that is not to be taken. */
function ask(state: State, dice: Dice): HarnessEvent[] {
  const due = getOpenQuestions(state, simPolicy).find(({ id }) => !state.people.questions.has(id));
  if (due && dice.below(2) === 0) return [{ type: 'question.asked', ...due }];
  const task = dice.pick(getTasks(state, ['pending', 'retry']));
  if (!task) return [];
  const about = { task: task.def.id, cause: task.started };
  const words = { title: task.def.title, what: 'it is stuck', why: '' };
  return [{ type: 'question.asked', ...getEscalation('stuck', about, words) }];
}

function answer(state: State, dice: Dice): readonly HarnessEvent[] {
  const question = dice.pick(getOpenQuestions(state, simPolicy));
  const option = question && dice.pick(question.options);
  if (!question || !option) return [];
  return getAnswerEvents(state, question, { option, text: 'by hand', by: 'somebody' });
}

/** Up to three tasks, each depending only on tasks that stand before it in the pool: never a cycle. */
function getDefs(dice: Dice): TaskDef[] {
  const defs = new Map<string, TaskDef>();
  for (let count = dice.below(4); count > 0; count--) {
    const at = dice.below(POOL.length);
    const id = POOL[at] as string;
    const mask = dice.below(256);
    const dependsOn = POOL.slice(0, at).filter((_, i) => mask & (1 << i));
    defs.set(id, {
      ...makeTask(id, dependsOn),
      priority: dice.below(3),
      maxAttempts: 1 + dice.below(3),
    });
  }
  return [...defs.values()];
}

function getFlags(state: State, dice: Dice): Parameters<typeof synced>[1] {
  const pick = (statuses: readonly TaskStatus[]): string[] => {
    const task = dice.below(3) === 0 ? dice.pick(getTasks(state, statuses)) : undefined;
    return task ? [task.def.id] : [];
  };
  const blob = `b${dice.below(4)}`;
  switch (dice.below(3)) {
    case 0:
      return { blob, removed: pick(['pending', 'retry', 'failed', 'blocked', 'landed', 'active']) };
    case 1:
      return { blob, accepted: pick(['pending', 'retry', 'failed', 'blocked', 'active']) };
    default:
      return { blob, reopened: pick(['landed']) };
  }
}

function start(state: State, dice: Dice): HarnessEvent[] {
  const task = dice.pick(getTasks(state, ['pending', 'retry']).filter(one => one.unmet === 0));
  if (!task) return [];
  const story = { attempt: task.started + 1, session: state.sessions + 1 };
  return upTo('leased', task.def.id, story);
}

function end(state: State, dice: Dice): HarnessEvent[] {
  const attempt = dice.pick([...state.active.values()]);
  if (!attempt) return [];
  const { task, number, session } = attempt;
  const outcome = dice.pick(['landed', 'rejected', 'partial', 'failed', 'needs-human', 'dead'] as const);
  if (outcome === 'dead') return [ended(task, 'partial', { attempt: number })];
  const isLanded = outcome === 'landed' || outcome === undefined;
  const word = isLanded
    ? 'proven'
    : (dice.pick(['proven', 'rejected', 'needs-human', 'inconclusive'] as const) ?? 'proven');
  const way = upTo('judged', task, { attempt: number, session, word }).slice(1);
  if (isLanded) return [...way, landed(task, number)];
  return [...way, ended(task, outcome, { attempt: number })];
}

function getTasks(state: State, statuses: readonly TaskStatus[]): TaskState[] {
  return [...state.tasks.values()].filter(task => statuses.includes(task.status));
}
