import { describe, expect, it } from 'vitest';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { Stage } from '../core/state/attempt.ts';
import { getStartWip } from '../core/state/attempt.ts';
import { sync } from './sync.ts';

async function closeAt(stage: Stage, options: StepOptions): Promise<StepBench> {
  const bench = await createStepBench(options);
  await bench.walkTo(stage);
  const result = await bench.perform('close');
  expect(result.release).toBe(true);
  return bench;
}

const getTask = (bench: StepBench) => bench.journal.state.tasks.get('1');

describe('close', () => {
  it.each(['crashed', 'timeout'] as const)(
    'keeps the work of a session that %s for the next attempt',
    async outcome => {
      const bench = await closeAt('candidate', { outcome });
      const history = getTask(bench)?.history ?? [];
      expect(history).toMatchObject([{ outcome: 'partial' }]);
      expect(getStartWip(history)).toBe(bench.kept.get('attempts/1/1'));
      expect((await bench.ask('lease')).events).toMatchObject([{ wip: getStartWip(history) }]);
    },
  );

  it('lets the next attempt start afresh when the agent gave up or was refused', async () => {
    const gaveUp = await closeAt('candidate', { outcome: 'not-done' });
    const refused = await closeAt('judged', { edit: files => Object.assign(files, { 'src/1': 'bad' }) });
    for (const bench of [gaveUp, refused]) {
      expect(getStartWip(getTask(bench)?.history ?? [])).toBeNull();
      expect(getTask(bench)?.history[0]?.wip).toBe(bench.kept.get('attempts/1/1'));
    }
    expect(getTask(refused)?.history[0]).toMatchObject({ outcome: 'rejected', findings: ['test/1: failed'] });
  });

  it('hands on the work it was given when it never got to do any', async () => {
    const bench = await closeAt('candidate', { outcome: 'crashed' });
    const wip = getStartWip(getTask(bench)?.history ?? []);
    await bench.perform('lease');
    await bench.perform('close');
    expect(getTask(bench)?.history).toHaveLength(2);
    expect(getStartWip(getTask(bench)?.history ?? [])).toBe(wip);
  });
});

describe('interrupt', () => {
  it('records that a session died with its worker', async () => {
    const bench = await createStepBench();
    await bench.walkTo('ready');
    await bench.ctx.record([
      { type: 'session.started', task: '1', attempt: 1, session: 1, provider: 'sim', prompt: 'coding' },
    ]);
    await bench.perform('interrupt');
    expect(bench.journal.state.active.get('1')).toMatchObject({
      stage: 'session-over',
      agent: { outcome: 'interrupted' },
    });
  });
});

describe('sync', () => {
  it('says which file is missing, on which branch, and what to do', async () => {
    const bench = await createStepBench();
    bench.git.userCommit(files => void delete files['features.json']);
    await expect(sync(bench.ctx)).rejects.toMatchObject({
      code: 'backlog',
      message: 'features.json is not committed on main',
      details: { fix: expect.stringContaining('git add features.json') },
    });
  });

  it('lets a task that was taken out while it was worked on go as soon as its attempt has ended', async () => {
    const bench = await createStepBench({ outcome: 'not-done' });
    await bench.walkTo('candidate');
    bench.git.userCommit(files =>
      Object.assign(files, { 'features.json': '{"2":{"passes":false,"dependsOn":[],"priority":0}}' }),
    );
    await bench.perform('sync');
    expect(getTask(bench)?.status).toBe('active');
    await bench.perform('close');
    expect(bench.journal.state.backlog).toBeNull();
    await bench.perform('sync');
    expect(getTask(bench)?.status).toBe('removed');
  });
});
