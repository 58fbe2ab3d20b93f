import { describe, expect, it } from 'vitest';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';

const shared = (ctx: StepBench['ctx']): StepBench['ctx'] =>
  Object.create(ctx, { isShared: { value: true } }) as StepBench['ctx'];

/** Task 1 is queued in a batch of its own; somebody has committed since, so that it does not stand on the tip. */
async function queueUp(options: StepOptions = {}, moves = true): Promise<StepBench> {
  const bench = await createStepBench(options);
  await bench.walkTo('judged');
  const first = bench.git.base;
  bench.git.userCommit(files => Object.assign(files, { 'notes-1': 'by hand' }));
  const { land } = await import('./land.ts');
  await bench.perform(ctx => {
    const [task, attempt] = [ctx.state.tasks.get('1'), ctx.state.active.get('1')];
    if (!task || !attempt) throw new Error('nothing is under way');
    return land(shared(ctx), { task, attempt });
  });
  if (!moves) bench.git.base = first;
  await bench.perform({ type: 'take-queue', members: [{ task: '1', attempt: 1 }], fence: null });
  return bench;
}

const LAND = { type: 'land-batch' } as const;
const getAttempt = (bench: StepBench) => bench.journal.state.active.get('1');
/** Whether a batch is judged there, on top of what somebody has committed. */
const isOnTop = (files: Readonly<Record<string, string>>) => 'notes-1' in files && files['src/1'] === 'good';

describe('landing a batch', () => {
  it('merges what was proven, byte for byte, onto the tip, with what was committed by hand', async () => {
    const bench = await queueUp();
    const { landing } = getAttempt(bench) ?? {};
    const tip = bench.git.base;
    const { events } = await bench.perform(LAND);
    const [merge] = bench.git.line(bench.git.base);
    expect(merge?.parents).toEqual([tip, landing]);
    expect(JSON.parse(merge?.tree ?? '')).toMatchObject({ 'src/1': 'good', 'notes-1': 'by hand' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'task.landed', commit: landing }));
    expect(bench.git.notes.get(landing ?? '')).toContain('proven');
    expect(bench.journal.state.queue).toEqual({ batches: 1, batch: null });
  });

  it('moves the branch to what stands on the tip already, without a merge and without a run', async () => {
    let saved = 0;
    // What a backlog keeps of the work so far is another text each time that it is asked.
    const keepRecord = (text: string) => `${text}${' '.repeat(++saved)}`;
    const wrap: StepOptions['wrap'] = ports => ({ ...ports, backlog: { ...ports.backlog, keepRecord } });
    const bench = await queueUp({ wrap }, false);
    const { landing, candidate } = getAttempt(bench) ?? {};
    const before = bench.ran.length;
    await bench.perform(LAND);
    const proven = (await bench.ports.store.read({})).find(({ event }) => event.type === 'batch.proven');
    expect(proven?.event).toMatchObject({ commit: landing, tree: candidate?.tree });
    expect([bench.git.base, bench.git.treeOf(bench.git.base)]).toEqual([landing, candidate?.tree]);
    expect(bench.ran.slice(before)).toEqual([]);
  });

  it('tells who does not go together what is red, and keeps its work by a ref', async () => {
    const answer: StepOptions['answer'] = (_, files) =>
      isOnTop(files)
        ? {
            exitCode: 1,
            results: Object.keys(files)
              .filter(path => path.startsWith('test/'))
              .map(id => ({ id, outcome: id === 'test/old' ? 'failed' : 'passed' })),
          }
        : undefined;
    const bench = await queueUp({ answer });
    const tip = bench.git.base;
    const { landing } = getAttempt(bench) ?? {};
    await bench.perform(LAND);
    expect(bench.git.base).toBe(tip);
    const task = bench.journal.state.tasks.get('1');
    expect(task).toMatchObject({ status: 'retry', attempts: 0, collisions: 1 });
    expect(task?.history.at(-1)).toMatchObject({
      outcome: 'partial',
      wip: landing,
      findings: [
        expect.stringMatching(/^test\/old passes without this work and fails with it/),
        `your work as it was proven: git show ${landing}`,
      ],
    });
    expect([...bench.kept.values()]).toContain(landing);
    expect(bench.journal.state.queue.batch).toBeNull();
  });

  it('lands nothing and blames nobody where what was green before is red whatever is left out', async () => {
    let isDown = false;
    const answer: StepOptions['answer'] = (_, files) => {
      isDown ||= isOnTop(files);
      return isDown ? { exitCode: 1, results: [{ id: 'test/old', outcome: 'failed' }] } : undefined;
    };
    const bench = await queueUp({ answer });
    const tip = bench.git.base;
    await expect(bench.ask(LAND)).rejects.toMatchObject({ code: 'environment' });
    expect([bench.git.base, getAttempt(bench)?.stage]).toEqual([tip, 'queued']);
  });

  it('waits for the next look when somebody moves the branch first, and stacks anew', async () => {
    const bench = await queueUp();
    let isFirst = true;
    const { land } = bench.ports.workspace;
    Object.assign(bench.ports.workspace, {
      land: async (request: Parameters<typeof land>[0]) => {
        if (isFirst) bench.git.userCommit(files => Object.assign(files, { 'notes-2': 'by hand' }));
        isFirst = false;
        return land(request);
      },
    });
    expect((await bench.perform(LAND)).events).toEqual([]);
    await bench.perform(LAND);
    const files = bench.git.filesOf(bench.git.base);
    expect(files).toMatchObject({ 'src/1': 'good', 'notes-1': 'by hand', 'notes-2': 'by hand' });
    expect(bench.journal.state.tasks.get('1')?.status).toBe('landed');
  });

  it('sets aside work that no host has any more, uncharged, and is over', async () => {
    const bench = await queueUp();
    const { landing } = getAttempt(bench) ?? {};
    const tip = bench.git.base;
    Object.assign(bench.ports.workspace, { fetch: async () => [landing] });
    await bench.perform(LAND);
    const { tasks, queue } = bench.journal.state;
    expect([bench.git.base, queue.batch]).toEqual([tip, null]);
    expect(tasks.get('1')).toMatchObject({ status: 'retry', attempts: 0, interruptions: 1 });
    expect(tasks.get('1')?.history.at(-1)).toMatchObject({
      outcome: 'partial',
      wip: null,
      reason: expect.stringMatching(/is neither here nor on the remote$/),
    });
  });

  it.each([
    ['somebody else has landed it meanwhile', { attempt: 1, proof: 'p' }, false],
    ['a person has brought the candidate meanwhile', { attempt: 1 }, true],
  ])('where %s, it lands once', async (_, other, lands) => {
    const bench = await queueUp();
    const tip = bench.git.base;
    const findLandings = async () => [{ task: '1', commit: 'c9', ...other }];
    Object.assign(bench.ports.workspace, { findLandings, fetch: async () => [] });
    await bench.perform(LAND);
    const task = bench.journal.state.tasks.get('1');
    expect([bench.git.base !== tip, task?.status, bench.journal.state.queue.batch]).toEqual([
      lands,
      lands ? 'landed' : 'retry',
      null,
    ]);
    const reason = expect.stringContaining('the task has landed meanwhile, as c9');
    if (!lands) expect(task).toMatchObject({ attempts: 0, history: [{ outcome: 'partial', reason }] });
  });

  it('records what is on the branch already as landed, once', async () => {
    const bench = await queueUp();
    const { land } = bench.ports.workspace;
    Object.assign(bench.ports.workspace, {
      land: async (request: Parameters<typeof land>[0]) => {
        await land(request);
        throw new Error('killed here');
      },
    });
    await expect(bench.ask(LAND)).rejects.toThrow('killed here');
    const { base } = bench.git;
    await bench.perform(LAND);
    expect(bench.git.base).toBe(base);
    expect(bench.journal.state.tasks.get('1')?.status).toBe('landed');
  });
});
