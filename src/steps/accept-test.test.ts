import { describe, expect, it } from 'vitest';
import { BASE } from '../../test/support/check-bench.ts';
import { SCOPE, WORLD } from '../../test/support/pipeline.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { decide } from '../core/decide/decide.ts';

const { 'test/1': _, ...WITHOUT_TEST } = BASE;

async function author(write: (files: Record<string, string>) => void, options: StepOptions = {}) {
  const bench = await createStepBench({
    base: WITHOUT_TEST,
    edit: write,
    answer: ({ command }) =>
      command === 'test test/1'
        ? { results: [{ id: 'test/1', outcome: 'failed', message: 'no' }] }
        : undefined,
    ...options,
    policy: { testsBy: 'separate-author', feedbackRounds: 0, ...options.policy },
  });
  await bench.walkTo('candidate');
  return bench;
}

const ask = (bench: StepBench) =>
  decide(
    bench.journal.state,
    { ...WORLD, backlogBlob: bench.journal.state.backlog?.blob ?? '' },
    bench.ctx.policy,
    SCOPE,
  );

const good = (files: Record<string, string>): void => {
  files['test/1'] = 'assert 1';
};

describe('a task whose test nobody has written', () => {
  it('is first given to an author, whose test then lies in the coder’s worktree, protected', async () => {
    const bench = await author(good);
    expect(bench.journal.state.active.get('1')).toMatchObject({
      isAuthor: true,
      agent: { role: 'test-author' },
    });
    expect(ask(bench)).toEqual({ type: 'accept-test', task: '1' });
    await bench.perform('accept-test');
    const task = bench.journal.state.tasks.get('1');
    expect(task).toMatchObject({ status: 'retry', attempts: 0, authorAttempts: 0 });
    expect(task?.authored?.files).toEqual({ 'test/1': 'assert 1' });
    expect(bench.kept.get('tests/1')).toBe(task?.authored?.commit);
    expect(bench.git.filesOf(bench.git.base)).not.toHaveProperty('test/1');

    await bench.perform('lease');
    await bench.perform('prepare');
    expect(bench.git.slots.get(1)).toMatchObject({ 'test/1': 'assert 1' });
    expect(bench.journal.state.active.get('1')).toMatchObject({
      isAuthor: false,
      tests: { 'test/1': 'assert 1' },
    });
  });

  it('cannot land by its test alone', async () => {
    const bench = await author(good);
    const accepted = await bench.ask('accept-test');
    await bench.perform(async () => ({ events: accepted.events.slice(0, 1) }));
    expect(ask(bench)).toEqual({ type: 'close', task: '1' });
    const landing = { type: 'landing.started', task: '1', attempt: 1, commit: 'c', onto: 'b' } as const;
    await expect(bench.ctx.record([landing])).rejects.toThrow('without a proven verdict');
  });

  it('is put before a person when no author writes a test that can be used', async () => {
    const bench = await author(files => Object.assign(files, { 'src/1': 'good' }));
    for (let attempt = 1; attempt <= 3; attempt++) {
      await bench.perform('accept-test');
      await bench.perform('close');
      if (attempt < 3) await bench.walkTo('candidate');
    }
    const task = bench.journal.state.tasks.get('1');
    expect(task).toMatchObject({ status: 'blocked', attempts: 0, authored: null });
    expect(task?.history.at(-1)).toMatchObject({ outcome: 'needs-human' });
    expect(task?.history.at(-1)?.reason).toContain('no test could be written');
  });

  it('is left to the coder where its test is there already', async () => {
    const bench = await createStepBench({ policy: { testsBy: 'separate-author' } });
    await bench.walkTo('leased');
    expect(bench.journal.state.active.get('1')).toMatchObject({ isAuthor: false });
  });
});
