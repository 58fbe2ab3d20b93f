import { describe, expect, it } from 'vitest';
import { BASE } from '../../test/support/check-bench.ts';
import { createStepBench, type StepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { canSendBack } from '../core/decide/send-back.ts';
import { getBrief } from '../core/prompt/brief.ts';
import { getPrompt } from '../core/prompt/prompt.ts';

const NOTES = 'claude-progress.txt';
const HEAD = '====\nCLAUDE PROGRESS LOG - shop\n====\n';
const WITH_NOTES = { ...BASE, [NOTES]: HEAD };

async function walk(options: StepOptions, stage: 'candidate' | 'judged' = 'judged'): Promise<StepBench> {
  const bench = await createStepBench({ base: WITH_NOTES, ...options });
  await bench.walkTo(stage);
  return bench;
}

function readNotes(bench: StepBench, tree = bench.git.base): string | undefined {
  return bench.git.filesOf(tree)[NOTES];
}

function getCandidate(bench: StepBench) {
  const candidate = bench.journal.state.active.get('1')?.candidate;
  if (!candidate) throw new Error('no candidate');
  return candidate;
}

describe('the progress notes', () => {
  it('get an entry that is proven and landed together with the work', async () => {
    const bench = await walk({
      edit: files =>
        Object.assign(files, { 'src/1': 'good', [NOTES]: `${files[NOTES]}\n- the cache is cold at first\n` }),
    });
    await bench.perform('land');
    const notes = readNotes(bench);
    expect(notes?.startsWith(HEAD)).toBe(true);
    for (const part of [
      'SESSION 1 - ',
      'FEATURE: #1 (',
      '- what it said\n',
      '- the cache is cold at first\n',
      '- Changed src/1\n',
      'NEXT: nothing is ready',
    ])
      expect(notes).toContain(part);
    expect(bench.journal.state.quality.fileSizes.has(NOTES)).toBe(false);
    expect(bench.journal.state.tasks.get('1')?.landed?.files).toEqual(['src/1']);
  });

  it('are never in the way of a rebase: the entry goes below whatever is there', async () => {
    const bench = await walk({});
    bench.git.userCommit(files => Object.assign(files, { [NOTES]: `${HEAD}\nby hand\n` }));
    await bench.perform('land');
    await bench.perform('verify');
    await bench.perform('land');
    expect(readNotes(bench)).toMatch(/by hand\n\n-{80}\nSESSION 1 - /);
    expect(readNotes(bench)?.match(/^SESSION/gm)).toHaveLength(1);
  });

  it('are the base’s own, whatever an agent made of them', async () => {
    const bench = await walk({ edit: files => Object.assign(files, { 'src/1': 'good', [NOTES]: 'mine' }) });
    expect(readNotes(bench, getCandidate(bench).tree)?.startsWith(HEAD)).toBe(true);
    expect(readNotes(bench, getCandidate(bench).tree)).not.toContain('mine');
  });

  it('are not begun where a project has none', async () => {
    const bench = await walk({ base: BASE });
    await bench.perform('land');
    expect(readNotes(bench)).toBeUndefined();
  });

  it('do not make a claim without work into work', async () => {
    const bench = await walk({ edit: () => undefined });
    expect(bench.journal.state.active.get('1')?.judged?.verdict).toMatchObject({ decidedBy: 'claim' });
  });

  it('do not make the same work look new', async () => {
    const bench = await walk({ edit: files => Object.assign(files, { 'src/1': 'bad' }) });
    const { state } = bench.journal;
    await bench.perform('send-back');
    bench.scheduler.nowMs += 90_000;
    await bench.perform('session');
    await bench.perform('snapshot');
    await bench.perform('verify');
    const attempt = bench.journal.state.active.get('1');
    const judged = attempt?.judged;
    if (judged) attempt.judged = { ...judged, verdict: { ...judged.verdict, findings: ['another finding'] } };
    expect(attempt && canSendBack(state, attempt, bench.ctx.policy)).toBe(false);
  });

  it('do not keep work that was given up from being gone on with', async () => {
    const bench = await walk({}, 'candidate');
    await bench.perform('close');
    bench.git.userCommit(files => Object.assign(files, { [NOTES]: `${HEAD}\nby hand\n` }));
    for (const step of ['lease', 'prepare'] as const) await bench.perform(step);
    const start = bench.journal.state.active.get('1')?.checkpoint?.commit ?? '';
    expect(bench.git.filesOf(start)).toMatchObject({ 'src/1': 'good', [NOTES]: `${HEAD}\nby hand\n` });
  });

  it('of work that was cut off reach whoever goes on', async () => {
    const bench = await walk(
      {
        outcome: 'timeout',
        edit: files =>
          Object.assign(files, { 'src/1': 'half', [NOTES]: `${files[NOTES]}\nthe mail is a stub` }),
      },
      'candidate',
    );
    expect(readNotes(bench, getCandidate(bench).tree)).toBe(HEAD);
    await bench.perform('close');
    const { state } = bench.journal;
    const task = state.tasks.get('1');
    if (!task) throw new Error('no task');
    const prompt = getPrompt(bench.ctx.policy, 'continuation', getBrief(state, task, bench.ctx.policy));
    expect(prompt).toContain('**Notes:** the mail is a stub');
  });
});
