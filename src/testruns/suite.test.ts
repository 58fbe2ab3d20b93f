import { describe, expect, it } from 'vitest';
import { changeRuns, createCheckContext } from '../../test/support/check-bench.ts';

const HUNG = { timedOut: true, results: [] } as const;

/** A suite that is only heard where the task's own test is not. */
async function measure(awaited: readonly string[], isHung = (files: string) => files.includes('test/1')) {
  const { ctx, ran } = await createCheckContext({
    answer: (_, files) => (isHung(Object.keys(files).join(' ')) ? HUNG : {}),
  });
  const { tests } = changeRuns(ctx, { awaited });
  const first = await tests.baseline(ctx.baseTree);
  const again = await tests.baseline(ctx.baseTree);
  return { first, again, ran, tree: ctx.baseTree };
}

describe('the suite on the base', () => {
  it('is measured without an approved test that hangs there, and without waiting for it twice', async () => {
    const { first, again, ran, tree } = await measure(['test/1']);
    expect(first.baseline).toMatchObject({ passing: ['test/old'], tree });
    expect(again.baseline.passing).toEqual(['test/old']);
    expect(ran.length).toBe(2);
  });

  it('is what it was where nobody waits for that test, or leaving it out changes nothing', async () => {
    expect((await measure([])).first.run?.timedOut).toBe(true);
    expect((await measure(['test/1'], () => true)).first.run?.timedOut).toBe(true);
  });

  it('is run once where it is heard', async () => {
    const { first, ran } = await measure(['test/1'], () => false);
    expect(first.run?.timedOut).toBe(false);
    expect(ran.length).toBe(1);
  });
});
