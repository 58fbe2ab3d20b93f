import { describe, expect, it } from 'vitest';
import { BASE } from '../../test/support/check-bench.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import type { EventOf } from '../core/events/event.ts';

const FLAGGED = '{"1":{"passes":true,"dependsOn":[],"priority":0}}';

async function take(options: StepOptions = {}): Promise<StepBench> {
  const bench = await createStepBench(options);
  await bench.walkTo('session-over');
  return bench;
}

async function getCandidate(bench: StepBench) {
  const { events } = await bench.perform('snapshot');
  return events[0] as EventOf<'candidate.taken'>;
}

describe('snapshot', () => {
  it('is one commit on the base that names its task, kept under a ref', async () => {
    const bench = await take();
    const candidate = await getCandidate(bench);
    const [commit] = bench.git.history(candidate.commit);
    expect(commit?.parents).toEqual([bench.git.base]);
    expect(commit?.message).toContain('Harness-Task: 1\nHarness-Attempt: 1');
    expect(bench.kept.get('attempts/1/1')).toBe(candidate.commit);
    expect(candidate.lines).toEqual({ 'src/1': 1 });
  });

  it('refuses what is in a worktree that somebody else has laid out meanwhile', async () => {
    const bench = await take();
    await bench.ports.workspace.prepare(1, bench.git.commit('{}', [bench.git.base], 'a sleeper’s base'));
    const { events } = await bench.perform('snapshot');
    expect(events).toMatchObject([
      { type: 'attempt.ended', outcome: 'rejected', reason: expect.stringContaining('reset the worktree') },
    ]);
  });

  it('says whose disk the work was on where another host is gone, and charges nobody', async () => {
    const bench = await take();
    const other = { id: 'w9', host: 'h-other', pid: 9, startTicks: '9' };
    await bench.ctx.record([
      { type: 'worker.started', worker: other, version: '0' },
      { type: 'attempt.taken-over', task: '1', attempt: 1, worker: 'w9', reason: 'moved there' },
      { type: 'attempt.taken-over', task: '1', attempt: 1, worker: 'w1', reason: 'the lease ran out' },
    ]);
    await bench.ports.workspace.prepare(1, bench.git.commit('{}', [bench.git.base], 'other work'));
    const { events } = await bench.perform('snapshot');
    const reason = 'its work was on host h-other alone, which is gone';
    expect(events).toMatchObject([{ type: 'attempt.ended', outcome: 'partial', reason }]);
    expect(bench.journal.state.tasks.get('1')?.attempts).toBe(0);
  });

  it('sets the flag of a claimed task in the base’s own backlog', async () => {
    const bench = await take();
    expect(bench.git.filesOf((await getCandidate(bench)).tree)['features.json']).toBe(FLAGGED);
  });

  it('leaves the backlog of unclaimed work as it was, so that it fits onto any other', async () => {
    const bench = await take({ outcome: 'crashed' });
    expect(bench.git.filesOf((await getCandidate(bench)).tree)['features.json']).toBe(BASE['features.json']);
  });

  it.each<[string, (files: Record<string, string>) => void, object]>([
    ['claims its task', files => Object.assign(files, { 'features.json': FLAGGED }), { claims: ['1'] }],
    [
      'adds a task',
      files => Object.assign(files, { 'features.json': '{"1":{},"2":{"passes":true}}' }),
      { claims: ['2'] },
    ],
    [
      'removes its task',
      files => Object.assign(files, { 'features.json': '{}' }),
      { backlogProblems: ['task 1 was removed'] },
    ],
    [
      'deletes the backlog',
      files => void delete files['features.json'],
      { backlogProblems: ['features.json was deleted'] },
    ],
  ])('judges an agent that %s, and carries none of it along', async (_, edit, expected) => {
    const bench = await take({ edit });
    const candidate = await getCandidate(bench);
    expect(candidate).toMatchObject(expected);
    expect(bench.git.filesOf(candidate.tree)['features.json']).toBe(FLAGGED);
  });

  it('survives a task that has gone from its own base: the claim is refused, not the run', async () => {
    const bench = await take({
      wrap: ports => ({
        ...ports,
        backlog: {
          ...ports.backlog,
          setPasses: () => {
            throw new HarnessError('backlog', 'task 1 is not in the backlog');
          },
        },
      }),
    });
    expect((await getCandidate(bench)).backlogProblems).toEqual(['task 1 is not in the backlog']);
  });

  it('ends the attempt, not the run, when no commit can hold what the agent left', async () => {
    const bench = await take({
      wrap: ports => ({
        ...ports,
        workspace: {
          ...ports.workspace,
          snapshot: async () => {
            throw new HarnessError('unproven', 'git cannot hold a file named .GIT', { fix: 'rename it' });
          },
        },
      }),
    });
    const result = await bench.perform('snapshot');
    expect(result).toMatchObject({
      release: true,
      events: [{ type: 'attempt.ended', outcome: 'rejected', findings: ['rename it'] }],
    });
    expect(bench.journal.state.tasks.get('1')?.status).toBe('retry');
  });

  it('lets a broken repository stop the run', async () => {
    const bench = await take({
      wrap: ports => ({
        ...ports,
        workspace: {
          ...ports.workspace,
          snapshot: async () => {
            throw new HarnessError('environment', 'the disk is full');
          },
        },
      }),
    });
    await expect(bench.ask('snapshot')).rejects.toThrow('the disk is full');
  });
});
