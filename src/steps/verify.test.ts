import { describe, expect, it } from 'vitest';
import { createStepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { HarnessEvent } from '../core/event.ts';
import { verify } from './verify.ts';

async function judge(options: StepOptions = {}) {
  const bench = await createStepBench(options);
  await bench.walkTo('candidate');
  const { events } = await bench.perform(ctx => verify(ctx, '1'));
  return { ...bench, given: events[0] as Extract<HarnessEvent, { type: 'verdict.given' }> };
}

describe('verify', () => {
  it('gives its verdict on the very bytes of the candidate, and leaves a proof of how', async () => {
    const { given, journal, written } = await judge();
    const attempt = journal.state.active.get('1');
    expect(given).toMatchObject({
      verdict: { word: 'proven' },
      tree: attempt?.candidate?.tree,
      base: attempt?.base,
    });
    expect(given.proof.path).toBe('proofs/task-1-attempt-1.json');
    expect(JSON.parse(written.get(given.proof.path) ?? '')).toMatchObject({
      schema_version: 1,
      task: '1',
      attempt: 1,
      tree: given.tree,
      verdict: { word: 'proven' },
      checks: given.checks,
    });
  });

  it.each<[string, (files: Record<string, string>) => void, string]>([
    ['does nothing', () => undefined, 'claim'],
    ['weakens its test', files => Object.assign(files, { 'test/1': 'weakened' }), 'protected'],
    ['lies', files => Object.assign(files, { 'src/1': 'bad' }), 'fail-to-pass'],
    [
      'breaks an old test',
      files => Object.assign(files, { 'src/1': 'good', 'src/old': 'bad' }),
      'pass-to-pass',
    ],
  ])('rejects an agent that claims and %s', async (_, edit, decidedBy) => {
    const { given } = await judge({ edit });
    expect(given.verdict).toMatchObject({ word: 'rejected', decidedBy });
  });

  it('runs nothing twice on the same bytes', async () => {
    const bench = await judge();
    const before = bench.ran.length;
    await verify(bench.ctx, '1');
    expect(bench.ran.length).toBe(before);
  });
});
