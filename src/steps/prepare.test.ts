import { describe, expect, it } from 'vitest';
import { BASE } from '../../test/support/check-bench.ts';
import { ended } from '../../test/support/pipeline.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { HarnessError } from '../core/base/failure.ts';

describe('lease', () => {
  it('takes task and lease at once, from the tip, in the lowest free slot', async () => {
    const bench = await createStepBench();
    const result = await bench.ask('lease');
    expect(result.acquire).toMatchObject({ resource: 'task/1', owner: 'w1' });
    expect(result.events).toMatchObject([
      {
        type: 'attempt.started',
        task: '1',
        attempt: 1,
        session: 1,
        slot: 1,
        base: bench.git.base,
        wip: null,
      },
    ]);
  });

  it('never gives a number twice', async () => {
    const bench = await createStepBench();
    await bench.walkTo('leased');
    await bench.ctx.record([ended('1', 'partial')]);
    expect((await bench.ask('lease')).events).toMatchObject([{ attempt: 2, session: 2 }]);
  });
});

/** An attempt that was cut off after its snapshot, and a second one that begins. */
async function restart(edit?: (bench: StepBench) => void, options: StepOptions = {}): Promise<StepBench> {
  const bench = await createStepBench({ outcome: 'crashed', ...options });
  await bench.walkTo('candidate');
  const wip = bench.journal.state.active.get('1')?.candidate?.commit ?? null;
  await bench.ctx.record([ended('1', 'partial', { wip })]);
  edit?.(bench);
  await bench.perform('lease');
  await bench.perform('prepare');
  return bench;
}

describe('prepare', () => {
  it('lays out exactly the base, and writes down its hashes', async () => {
    const bench = await createStepBench();
    await bench.walkTo('prepared');
    const { base } = bench.git;
    expect(bench.git.slots.get(1)).toEqual(bench.git.filesOf(base));
    expect(bench.journal.state.active.get('1')?.checkpoint).toMatchObject({
      id: '1-1',
      commit: base,
      backlogHash: bench.git.filesOf(base)['features.json'],
      notesHash: null,
    });
  });

  it.each([
    ['features.json', 'changed'],
    ['features.json', null],
    ['claude-progress.txt', 'from nowhere'],
  ])('refuses a worktree in which %s is %s', async (path, content) => {
    const bench = await createStepBench({
      wrap: ports => ({
        ...ports,
        workspace: {
          ...ports.workspace,
          hashes: async (slot, paths) => ({
            ...(await ports.workspace.hashes(slot, paths)),
            [path]: content,
          }),
        },
      }),
    });
    await bench.walkTo('leased');
    const refused = bench.ask('prepare');
    await expect(refused).rejects.toThrow(HarnessError);
    await expect(refused).rejects.toThrow(`${path} in the worktree is not what commit`);
  });

  it('goes on with the work of an attempt that was cut off, on today’s base', async () => {
    const bench = await restart(({ git }) =>
      git.userCommit(files => Object.assign(files, { notes: 'by hand' })),
    );
    expect(bench.git.slots.get(1)).toMatchObject({ 'src/1': 'good', notes: 'by hand' });
  });

  it('goes on with it even when the backlog has changed meanwhile', async () => {
    const listed = '{"1":{"passes":false,"dependsOn":[],"priority":2}}';
    const bench = await restart(({ git }) =>
      git.userCommit(files => Object.assign(files, { 'features.json': listed })),
    );
    expect(bench.git.slots.get(1)).toMatchObject({ 'src/1': 'good', 'features.json': listed });
  });

  it.each([
    [['run.sh'], 'base'],
    [[], 'edited'],
  ])('starts the agent by the base’s own program: %s', async (agentScripts, found) => {
    const base = { ...BASE, 'run.sh': 'base' };
    const edit = (files: Record<string, string>) =>
      void Object.assign(files, { 'src/1': 'good', 'run.sh': 'edited' });
    const bench = await restart(undefined, { base, edit, policy: { agentScripts } });
    expect(bench.git.slots.get(1)).toMatchObject({ 'src/1': 'good', 'run.sh': found });
  });

  it('starts afresh when that work no longer fits', async () => {
    const bench = await restart(({ git }) =>
      git.userCommit(files => Object.assign(files, { 'src/1': 'mine' })),
    );
    expect(bench.git.slots.get(1)).toEqual(bench.git.filesOf(bench.git.base));
  });
});

describe('adopt', () => {
  it('takes the lease out of the reach of the dead worker, whose processes are ended once that is recorded', async () => {
    const order: string[] = [];
    const bench = await createStepBench({
      wrap: ports => ({
        ...ports,
        workers: { ...ports.workers, reap: async worker => order.push(`reap ${worker.id}`) },
      }),
    });
    await bench.walkTo('leased');
    const { store } = bench.ctx.ports;
    const held = await store.acquire({ resource: 'task/1', owner: 'w1', ttlMs: 60_000 });
    if (!held.ok) throw new Error('not acquired');
    const { fence } = held.lease;
    const result = await bench.ask({ type: 'adopt', task: '1', fence, reason: 'it is dead' });
    expect(order).toEqual([]);
    expect(await store.renew(held.lease, 60_000)).toBeNull();
    expect(result.acquire).toMatchObject({ resource: 'task/1', adoptedFence: held.lease.fence + 1 });
    expect(result.events).toMatchObject([
      { type: 'attempt.taken-over', task: '1', attempt: 1, reason: 'it is dead' },
    ]);
    await bench.ctx.record(result.events);
    expect(bench.journal.state.active.get('1')?.former?.id).toBe('w1');
  });

  it('leaves an attempt and its processes to a worker that came back to its lease in time', async () => {
    const order: string[] = [];
    const bench = await createStepBench({
      wrap: ports => ({
        ...ports,
        workers: { ...ports.workers, reap: async worker => order.push(`reap ${worker.id}`) },
      }),
    });
    await bench.walkTo('leased');
    await bench.ctx.ports.store.acquire({ resource: 'task/1', owner: 'w1', ttlMs: 60_000 });
    const reason = 'the lease of worker w1 ran out';
    expect(await bench.ask({ type: 'adopt', task: '1', fence: null, reason })).toEqual({ events: [] });
    expect(order).toEqual([]);
  });
});
