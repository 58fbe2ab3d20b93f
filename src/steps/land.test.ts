import { describe, expect, it } from 'vitest';
import { makeTask } from '../../test/support/history.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { getCommitMessage } from '../core/proof/commit-message.ts';

async function prove(options: StepOptions = {}): Promise<StepBench> {
  const bench = await createStepBench(options);
  await bench.walkTo('judged');
  return bench;
}

const doLand = (bench: StepBench) => bench.perform('land');
/** The verdict's own look at what has landed. */
const MEASURED = { type: 'baseline.measured', passing: expect.arrayContaining(['test/1']) };
const getAttempt = (bench: StepBench) => bench.journal.state.active.get('1');

/** The branch has moved, and nobody is left to write that down. */
const killAfterLanding: NonNullable<StepOptions['wrap']> = ports => {
  let isFirst = true;
  const land: typeof ports.workspace.land = async request => {
    const result = await ports.workspace.land(request);
    if (!isFirst) return result;
    isFirst = false;
    throw new Error('killed here');
  };
  return { ...ports, workspace: { ...ports.workspace, land } };
};

describe('land', () => {
  it('moves the branch to exactly what was proven, and says so', async () => {
    const bench = await prove();
    const { candidate, judged } = getAttempt(bench) ?? {};
    const proof = judged?.proof;
    const result = await doLand(bench);
    const { base } = bench.git;
    expect(bench.git.treeOf(base)).toBe(candidate?.tree);
    expect(result).toMatchObject({
      release: true,
      events: [MEASURED, { type: 'task.landed', commit: base }],
    });
    expect(bench.journal.state.tasks.get('1')?.status).toBe('landed');
    const [landing] = await bench.ports.workspace.findLandings('', base);
    expect(landing).toMatchObject({ task: '1', proof: proof?.hash, record: proof?.recordHash });
    expect(bench.git.notes.get(base)).toBe(bench.written.get(proof?.path ?? ''));
  });

  it('makes the same commit however often it is asked to', async () => {
    const bench = await prove({
      wrap: ports => ({
        ...ports,
        workspace: { ...ports.workspace, land: async () => ({ ok: false, why: 'tip-moved' }) },
      }),
    });
    await doLand(bench);
    bench.scheduler.nowMs += 5_000;
    await doLand(bench);
    const made = bench.made.filter(message => message.includes('Harness-Proof'));
    expect(made).toHaveLength(2);
    expect(made[0]).toBe(made[1]);
  });

  it.each([
    ['is gone', (written: Map<string, string>) => written.clear()],
    [
      'was edited',
      (written: Map<string, string>) => {
        for (const [path, text] of written) written.set(path, text.replace('"proven"', '"Proven"'));
      },
    ],
  ])('judges once more when the proof %s, and lands with the new one', async (_, damage) => {
    const bench = await prove();
    damage(bench.written);
    expect((await doLand(bench)).events).toMatchObject([{ type: 'candidate.rebased' }]);
    await bench.perform('verify');
    await doLand(bench);
    expect(bench.git.notes.get(bench.git.base)).toContain('"proven"');
  });

  it('writes its intent down before it touches the branch', async () => {
    const bench = await prove({
      wrap: ports => ({
        ...ports,
        workspace: { ...ports.workspace, land: () => Promise.reject(new Error('killed here')) },
      }),
    });
    const { base } = bench.git;
    await expect(doLand(bench)).rejects.toThrow('killed here');
    expect(getAttempt(bench)?.stage).toBe('landing');
    expect(bench.git.base).toBe(base);
  });

  it.each(['rejected', 'inconclusive'])('refuses a candidate that was %s', async word => {
    const edit = { edit: (files: Record<string, string>) => Object.assign(files, { 'src/1': 'bad' }) };
    const hang = {
      answer: ({ command }: { command: string }) => (command === 'test' ? { timedOut: true } : {}),
    };
    const bench = await prove(word === 'rejected' ? edit : hang);
    expect(getAttempt(bench)?.judged?.verdict.word).toBe(word);
    await expect(bench.ask('land')).rejects.toThrow('nothing has been proven');
  });

  it('recognises its own commit after a crash, even under later ones, and does not land twice', async () => {
    const bench = await prove({ wrap: killAfterLanding });
    await expect(doLand(bench)).rejects.toThrow('killed here');
    const commit = bench.git.base;
    bench.git.userCommit(files => Object.assign(files, { notes: 'by hand' }));
    const { base } = bench.git;
    expect((await doLand(bench)).events).toMatchObject([MEASURED, { type: 'task.landed', commit }]);
    expect(bench.git.base).toBe(base);
  });

  it('takes a commit that only says that it landed the task for anybody’s commit', async () => {
    const bench = await prove();
    const message = getCommitMessage(makeTask('1'), 1, { proof: { hash: 'p', recordHash: 'r' } });
    const { workspace } = bench.ports;
    const { commit: parent, tree } = await workspace.tip();
    const forged = await workspace.commit({ tree, parent, message, atMs: 1 });
    await workspace.land({ commit: forged, expected: parent });
    expect((await doLand(bench)).events).toMatchObject([{ type: 'candidate.rebased', base: forged }]);
    await bench.perform('verify');
    expect((await doLand(bench)).events).toMatchObject([
      MEASURED,
      { type: 'task.landed', commit: bench.git.base },
    ]);
    expect(bench.git.base).not.toBe(forged);
  });

  it('sends the proof after its commit when it was killed in between', async () => {
    let isKilled = true;
    const bench = await prove({
      wrap: ports => ({
        ...ports,
        workspace: {
          ...ports.workspace,
          annotate: async (commit, text) => {
            if (isKilled) throw new Error('killed here');
            await ports.workspace.annotate(commit, text);
          },
        },
      }),
    });
    await expect(doLand(bench)).rejects.toThrow('killed here');
    expect(bench.git.notes.size).toBe(0);
    isKilled = false;
    expect((await doLand(bench)).events).toMatchObject([
      MEASURED,
      { type: 'task.landed', commit: bench.git.base },
    ]);
    expect([...bench.git.notes.keys()]).toEqual([bench.git.base]);
  });

  it('records what the person should know about where it landed', async () => {
    const bench = await prove({
      wrap: ports => ({
        ...ports,
        workspace: {
          ...ports.workspace,
          land: async ({ commit }) => ({
            ok: true,
            commit,
            ref: 'refs/heads/harness/landed',
            note: 'take it by hand',
          }),
        },
      }),
    });
    expect((await doLand(bench)).events).toMatchObject([
      { type: 'note.added', level: 'important', text: 'take it by hand', task: '1' },
      MEASURED,
      { type: 'task.landed', ref: 'refs/heads/harness/landed' },
    ]);
  });

  it('starts again when the branch moves at the last moment', async () => {
    const bench = await prove({
      wrap: ports => ({
        ...ports,
        workspace: { ...ports.workspace, land: async () => ({ ok: false, why: 'tip-moved' }) },
      }),
    });
    expect((await doLand(bench)).events).toEqual([]);
    expect(getAttempt(bench)?.stage).toBe('landing');
  });
});

describe('a tip that has moved', () => {
  it('has the candidate put onto it and judged again before it lands', async () => {
    const bench = await prove();
    bench.git.userCommit(files => Object.assign(files, { notes: 'by hand' }));
    expect((await doLand(bench)).events).toMatchObject([{ type: 'candidate.rebased', base: bench.git.base }]);
    expect(getAttempt(bench)).toMatchObject({ stage: 'candidate', judged: null });
    await expect(bench.ask('land')).rejects.toThrow('nothing has been proven');
    await bench.perform('verify');
    await doLand(bench);
    expect(bench.git.filesOf(bench.git.base)).toMatchObject({ 'src/1': 'good', notes: 'by hand' });
    const kept = bench.kept.get('attempts/1/1') ?? '';
    expect(bench.git.treeOf(kept)).toBe(bench.git.treeOf(bench.git.base));
  });

  it('never conflicts in the backlog: the flag is set in the one that is there', async () => {
    const bench = await prove();
    const listed =
      '{"0":{"passes":false,"dependsOn":[],"priority":9},"1":{"passes":false,"dependsOn":["0"],"priority":0}}';
    bench.git.userCommit(files => Object.assign(files, { 'features.json': listed }));
    expect((await doLand(bench)).events).toMatchObject([{ type: 'candidate.rebased' }]);
    const { tree = '' } = getAttempt(bench)?.candidate ?? {};
    expect(bench.git.filesOf(tree)['features.json']).toBe(
      listed.replace('"1":{"passes":false', '"1":{"passes":true'),
    );
  });

  it.each<[string, (files: Record<string, string>) => void, string]>([
    [
      'changed the same file',
      files => Object.assign(files, { 'src/1': 'mine' }),
      'src/1 was changed on the base',
    ],
    [
      'lost the task',
      files => Object.assign(files, { 'features.json': '{}' }),
      'task 1 is not in the backlog',
    ],
  ])('and %s ends the attempt, with the work kept and the reason told', async (_, change, finding) => {
    const bench = await prove();
    const commit = getAttempt(bench)?.candidate?.commit;
    bench.git.userCommit(change);
    const result = await doLand(bench);
    expect(result).toMatchObject({
      release: true,
      events: [{ type: 'attempt.ended', outcome: 'rejected', wip: commit }],
    });
    expect(result.events[0]).toMatchObject({ findings: [expect.stringContaining(finding)] });
  });
});
