import { describe, expect, it } from 'vitest';
import { simBacklog } from '../../test/sim/sim-project.ts';
import { createStepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { EventOf } from '../core/events/event.ts';
import { NOT_REPEATABLE } from '../core/proof/proof.ts';

async function judge(options: StepOptions = {}) {
  const bench = await createStepBench(options);
  await bench.walkTo('candidate');
  const { events } = await bench.perform('verify');
  return { ...bench, given: events[0] as EventOf<'verdict.given'> };
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
      hash: given.proof.hash,
      record_hash: given.proof.recordHash,
      statement: {
        task: { id: '1' },
        base: { commit: attempt?.base },
        candidate: { tree: given.tree },
        tests: {
          own: { before: { failed: ['test/1'] }, after: { passed: ['test/1'] } },
          suite: {
            before: { failed: ['test/1'], passed: ['test/old'] },
            changes: [{ id: 'test/1', before: 'failed', after: 'passed' }],
          },
        },
        files: {
          tests: { 'test/1': 'assert 1', 'test/old': 'assert old' },
          protected: { 'package.json': '{}' },
        },
        checks: given.checks
          .filter(({ check }) => !NOT_REPEATABLE.includes(check))
          .map(({ check, status }) => ({ check, status })),
        verdict: { word: 'proven' },
      },
      record: { attempt: 1, candidate: attempt?.candidate?.commit, usage: { cost_usd: 0.01, sessions: 1 } },
    });
  });

  it('states the same whenever it is asked, whatever the time and the cost', async () => {
    const { given, scheduler, journal, ask } = await judge();
    scheduler.nowMs += 60_000;
    const task = journal.state.tasks.get('1');
    if (task) task.usage = { ...task.usage, costUsd: 9 };
    const again = (await ask('verify')).events[0] as typeof given;
    expect(again.proof.hash).toBe(given.proof.hash);
    expect(again.proof.recordHash).not.toBe(given.proof.recordHash);
  });

  it('judges by the task as its base has it, once that is another', async () => {
    const parse = (text: string) => {
      const parsed = simBacklog.parse(text);
      if (!text.includes('"9"')) return parsed;
      return {
        ...parsed,
        tasks: parsed.tasks.map(task => ({ ...task, def: { ...task.def, title: 'another' } })),
      };
    };
    const bench = await createStepBench({
      wrap: ports => ({ ...ports, backlog: { ...ports.backlog, parse } }),
    });
    await bench.walkTo('judged');
    const getDefinition = () =>
      JSON.parse([...bench.written.values()].at(-1) ?? '').statement.task.definition as string;
    const before = getDefinition();
    bench.git.userCommit(files => {
      files['features.json'] =
        files['features.json']?.replace('}}', '},"9":{"passes":false,"dependsOn":[],"priority":9}}') ?? '';
    });
    await bench.perform('land');
    const { events } = await bench.ask('verify');
    expect(events.at(-1)).toMatchObject({ verdict: { word: 'proven' } });
    expect(getDefinition()).not.toBe(before);
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
    await bench.ask('verify');
    expect(bench.ran.length).toBe(before);
  });
});
