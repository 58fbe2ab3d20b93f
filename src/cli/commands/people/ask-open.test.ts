import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../../test/support/history.ts';
import { failing, synced } from '../../../../test/support/pipeline.ts';
import { createMemoryStore } from '../../../adapters/store/memory-store.ts';
import { recordAnswer } from '../../../app/people/questions.ts';
import type { AskedQuestion } from '../../../core/model/question.ts';
import { getDueQuestion } from '../../../core/people/due-question.ts';
import { Journal } from '../../../loop/journal.ts';
import { addPainter } from '../../terminal/hold-drawing.ts';
import { askOpen } from './ask.ts';

/** A store in which task 1 has used up its attempts, and nobody has answered yet. */
async function openStopped() {
  const store = createMemoryStore(
    () => 1_000,
    () => 'token',
  );
  const journal = new Journal(store, async () => undefined);
  await journal.record([
    synced([makeTask('1')]),
    ...[1, 2, 3].flatMap(attempt => failing('1', 'rejected', { attempt })),
  ]);
  const question = getDueQuestion(
    journal.state,
    simPolicy,
    { environmentBroken: false },
    { tip: 'c9' },
  ) as AskedQuestion;
  await journal.record([{ type: 'question.asked', ...question }]);
  const told: string[] = [];
  const ask = (...typed: string[]) =>
    askOpen(
      { err: text => void told.push(text) },
      said => recordAnswer(store, simPolicy, { ...said, by: 'Ada' }),
      [...journal.state.people.questions.values()],
      async () => typed.shift() ?? '',
    );
  const getTask = async () => {
    await journal.refresh();
    return journal.state.tasks.get('1');
  };
  return { ask, told, getTask, question };
}

describe('somebody at the terminal', () => {
  it('is not drawn over, from the question to the answer', async () => {
    const { ask, told } = await openStopped();
    const leave = addPainter({ hold: () => told.push('held'), release: () => told.push('released') });
    await ask('retry');
    leave();
    await ask('');
    expect([told[0], told.at(-2)]).toEqual(['held', 'released']);
    expect(told.filter(text => text === 'held')).toHaveLength(1);
  });

  it('is shown the question with its answers, and heard with every word', async () => {
    const { ask, told, getTask, question } = await openStopped();
    expect(await ask('retry use the other door')).toEqual([question.id]);
    expect(told.join('\n')).toContain(question.what);
    expect(await getTask()).toMatchObject({
      status: 'pending',
      people: { answers: [{ text: 'use the other door' }] },
    });
  });

  it('is asked again after a word that is no answer', async () => {
    const { ask, told, getTask } = await openStopped();
    expect(await ask('maybe', 'skip')).toEqual(['attempts-1-3']);
    expect(told.join('\n')).toContain('"maybe" is no answer');
    expect(await getTask()).toMatchObject({ status: 'blocked' });
  });

  it('may leave it for later', async () => {
    const { ask, getTask } = await openStopped();
    expect(await ask('')).toEqual([]);
    expect(await getTask()).toMatchObject({ status: 'failed', people: { question: 'attempts-1-3' } });
  });
});
