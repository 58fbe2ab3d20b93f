import type { Policy } from '../../src/core/model/policy.ts';
import type { Effect } from '../../src/core/model/question.ts';
import { getAnswerEvents } from '../../src/core/people/answer-question.ts';
import { getOpenQuestions } from '../../src/core/people/due-question.ts';
import { Journal } from '../../src/loop/journal.ts';
import type { Store } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';

/** What brings the work back into play, most of the time. */
const LIKELY: readonly Effect[] = ['continue', 'retry', 'restart', 'proceed', 'skip', 'raise'];

/** A person who looks into the inbox now and then and answers something; what they chose, or null. */
export async function answerSomething(store: Store, policy: Policy, chance: Chance): Promise<string | null> {
  const journal = new Journal(store, async () => undefined);
  for (let tries = 0; tries < 5; tries++) {
    await journal.refresh();
    const open = getOpenQuestions(journal.state, policy).filter(
      ({ task, kind }) => task !== null || kind === 'budget',
    );
    if (open.length === 0) return null;
    const question = chance.pick(open);
    const option = chance.pick(question.options.filter(({ effect }) => LIKELY.includes(effect)));
    const said = { option, text: 'use the other door', by: 'somebody' };
    if ((await journal.record(getAnswerEvents(journal.state, question, said))).ok)
      return `${question.id}: ${option.key}`;
  }
  return null;
}
