import { describe, expect, it } from 'vitest';
import { createCheckContext } from '../../test/support/check-bench.ts';
import { types } from './lint-and-types.ts';

const ONE = 'a.ts(1,7): error TS2322: no';
const TWO = `a.ts(4,7): error TS2322: no\nb.ts(2,1): error TS2304: no`;

/** The type check prints this on the base and with the change. */
async function check(before: string, after: string, typeCheckBlocks: boolean) {
  const { ctx } = await createCheckContext({
    policy: { typeCheckCommand: 'tsc', typeCheckBlocks },
    answer: (_, files) => {
      const outputTail = files['src/1'] ? after : before;
      return { exitCode: outputTail === '' ? 0 : 2, outputTail };
    },
  });
  return types(ctx);
}

describe('types', () => {
  it.each([
    ['clean as before', '', '', true, 'passed'],
    ['clean, and were not before', ONE, '', true, 'passed'],
    ['one error more than none', '', ONE, true, 'failed'],
    ['one error more than one', ONE, TWO, true, 'failed'],
    ['one error more, where that is a warning', ONE, TWO, false, 'warned'],
    ['as many errors as before', ONE, ONE, true, 'warned'],
    ['fewer errors than before', TWO, ONE, true, 'warned'],
    ['failing in words nobody can count, as before', 'oh no', 'oh no', true, 'warned'],
  ])('%s', async (_, before, after, blocks, status) => {
    expect((await check(before, after, blocks)).status).toBe(status);
  });

  it('names what is new and leaves out what was there', async () => {
    expect(await check(ONE, TWO, true)).toMatchObject({
      summary: 'the type check found more: 1 errors before, 2 errors now',
      findings: ['b.ts(2,1): error TS2304: no'],
      measures: { errors: 2, warnings: 0 },
    });
  });

  it('are skipped when nothing checks them', async () => {
    const { ctx } = await createCheckContext();
    expect(await types(ctx)).toMatchObject({ status: 'skipped' });
  });
});
