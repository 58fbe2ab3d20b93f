import { describe, expect, it } from 'vitest';
import { BASE } from '../../test/support/check-bench.ts';
import { SCOPE, WORLD } from '../../test/support/pipeline.ts';
import { createStepBench, type StepBench } from '../../test/support/step-bench.ts';
import { decide } from '../core/decide/decide.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Work } from '../core/model/action.ts';

type Kind = 'hybrid' | 'manual';

/** An attempt at task 1 that was judged and closed. */
async function work(kind: Kind, edit?: (files: Record<string, string>) => void): Promise<StepBench> {
  const backlog = { 1: { passes: false, dependsOn: [], priority: 0, verificationType: kind } };
  const base = { ...BASE, 'features.json': JSON.stringify(backlog) };
  const bench = await createStepBench({ base, ...(edit ? { edit } : {}) });
  await bench.walkTo('judged');
  await bench.perform('close');
  return bench;
}

const getTask = (bench: StepBench) => bench.journal.state.tasks.get('1');

async function record(bench: StepBench, event: HarnessEvent): Promise<void> {
  await bench.ctx.record([event]);
}

async function answer(bench: StepBench, passed: boolean): Promise<void> {
  const held = getTask(bench)?.held;
  const said = { passed, by: 'Ada', note: passed ? '' : 'cut off' };
  const tree = held?.candidate.tree ?? '';
  await record(bench, { type: 'human.answered', task: '1', attempt: held?.attempt ?? 0, tree, ...said });
}

/** Performs what decide says until the task has come to its end; no agent is there to be asked. */
async function goOn(bench: StepBench): Promise<string[]> {
  const steps: ReadonlySet<string> = new Set(['lease', 'resume-held', 'verify', 'land', 'close']);
  const done: string[] = [];
  for (;;) {
    const world = { ...WORLD, backlogBlob: bench.journal.state.backlog?.blob ?? '' };
    const action = decide(bench.journal.state, world, bench.ctx.policy, { ...SCOPE, halted: NO_AGENTS });
    if (!steps.has(action.type) || done.length > 20) return done;
    done.push(action.type);
    await bench.perform(action as Work);
  }
}

const NO_AGENTS = new Map([['sim', 'auth' as const]]);

describe('work that a person looked at', () => {
  it.each<Kind>(['hybrid', 'manual'])('of a %s task waits for them, kept', async kind => {
    const bench = await work(kind);
    expect(getTask(bench)).toMatchObject({ status: 'blocked', held: { awaitsPerson: true } });
    expect(await goOn(bench)).toEqual([]);
  });

  it.each<Kind>(['hybrid', 'manual'])('of a %s task lands after a yes, without an agent', async kind => {
    const bench = await work(kind);
    const looked = getTask(bench)?.held?.candidate.tree;
    await answer(bench, true);
    expect(await goOn(bench)).toEqual(['lease', 'resume-held', 'verify', 'land']);
    expect(getTask(bench)).toMatchObject({ status: 'landed', landed: { commit: bench.git.base } });
    expect(bench.git.treeOf(bench.git.base)).toBe(looked);
  });

  it('lands on a newer base after it was proven there again', async () => {
    const bench = await work('hybrid');
    bench.git.userCommit(files => Object.assign(files, { notes: 'by hand' }));
    await answer(bench, true);
    expect(await goOn(bench)).toEqual(['lease', 'resume-held', 'verify', 'land', 'verify', 'land']);
    expect(getTask(bench)?.status).toBe('landed');
    expect(bench.git.filesOf(bench.git.base)).toMatchObject({ notes: 'by hand', 'src/1': 'good' });
  });

  it('does not land when it breaks what landed meanwhile, whatever they said', async () => {
    const bench = await work('hybrid');
    bench.git.userCommit(files => Object.assign(files, { 'test/2': 'assert 2', 'src/2': 'good' }));
    await answer(bench, true);
    await bench.perform('lease');
    await bench.perform('resume-held');
    bench.git.userCommit(files => Object.assign(files, { 'src/1': 'other' }));
    expect(await goOn(bench)).toEqual(['verify', 'land']);
    expect(getTask(bench)).toMatchObject({ status: 'retry', landed: null });
  });

  it('goes back to an agent after a no, with the note and the files', async () => {
    const bench = await work('hybrid');
    const looked = getTask(bench)?.held?.candidate.commit;
    await answer(bench, false);
    expect(getTask(bench)?.history.at(-1)).toMatchObject({ outcome: 'partial', findings: ['cut off'] });
    const { events } = await bench.perform('lease');
    expect(events[0]).toMatchObject({ type: 'attempt.started', wip: looked });
    expect(events[0]).not.toHaveProperty('takesUp');
  });

  it('is never put before a person when a machine can refuse it', async () => {
    const bench = await work('hybrid', files => Object.assign(files, { 'src/1': 'bad' }));
    expect(getTask(bench)).toMatchObject({ status: 'retry', held: { awaitsPerson: false } });
    await expect(answer(bench, true)).rejects.toThrow('nobody was asked about');
  });

  it('can be answered for no other tree', async () => {
    const bench = await work('hybrid');
    const said = {
      type: 'human.answered',
      task: '1',
      attempt: 1,
      passed: true,
      by: 'Ada',
      note: '',
    } as const;
    await expect(record(bench, { ...said, tree: 'another' })).rejects.toThrow('nobody was asked about');
  });
});

describe('a task that is overridden', () => {
  const said = { type: 'task.overridden', task: '1', reason: 'by hand', by: 'Ada', unproven: true } as const;

  it('is marked in the backlog and nothing else, and counts as unproven', async () => {
    const bench = await work('hybrid', files => Object.assign(files, { 'src/1': 'bad' }));
    const before = bench.git.filesOf(bench.git.base);
    await record(bench, { ...said, workOf: null });
    expect(await goOn(bench)).toEqual(['lease', 'resume-held', 'land']);
    const { 'features.json': backlog, ...rest } = bench.git.filesOf(bench.git.base);
    expect(JSON.parse(backlog ?? '')).toMatchObject({ 1: { passes: true } });
    expect(rest).toEqual(
      Object.fromEntries(Object.entries(before).filter(([path]) => path !== 'features.json')),
    );
    expect(getTask(bench)).toMatchObject({ status: 'landed', landed: { unproven: { by: 'Ada' } } });
    expect(bench.journal.state.unproven).toBe(1);
  });

  it('lands its kept work where that was asked for, on a newer base too', async () => {
    const bench = await work('hybrid', files => Object.assign(files, { 'src/1': 'bad' }));
    bench.git.userCommit(files => Object.assign(files, { notes: 'by hand' }));
    await record(bench, { ...said, workOf: 1 });
    expect(await goOn(bench)).toEqual(['lease', 'resume-held', 'land', 'land']);
    expect(bench.git.filesOf(bench.git.base)).toMatchObject({ 'src/1': 'bad', notes: 'by hand' });
    expect(getTask(bench)?.landed?.unproven).toMatchObject({ reason: 'by hand' });
  });

  it('cannot be given work that is not kept', async () => {
    const bench = await work('hybrid');
    await expect(record(bench, { ...said, workOf: 7 })).rejects.toThrow('not kept');
  });

  it('goes back to work like any other when its work no longer fits', async () => {
    const bench = await work('hybrid');
    bench.git.userCommit(files => Object.assign(files, { 'src/1': 'other' }));
    await record(bench, { ...said, workOf: 1 });
    await goOn(bench);
    expect(getTask(bench)).toMatchObject({ status: 'retry', people: { override: null } });
    expect(bench.journal.state.unproven).toBe(0);
  });
});
