import { describe, expect, it } from 'vitest';
import { createCheckContext } from '../../test/support/check-bench.ts';
import { lint } from './lint-and-types.ts';

/** Lint exits with these codes on the base and with the change. */
async function check(before: number | null, after: number | null, lintBlocks: boolean) {
  const bench = await createCheckContext({
    policy: { lintCommand: 'lint', lintBlocks },
    answer: (_, files) => ({ exitCode: files['src/1'] ? after : before, outputTail: 'unused variable' }),
  });
  return { ...(await lint(bench.ctx)), ran: bench.ran };
}

describe('lint', () => {
  it.each([
    ['clean as before', 0, 0, false, 'passed'],
    ['clean, and was not before', 1, 0, true, 'passed'],
    ['worse, where that is a warning', 0, 1, false, 'warned'],
    ['worse, where that blocks', 0, 1, true, 'failed'],
    ['as bad as before, where worse is a warning', 1, 1, false, 'warned'],
    ['as bad as before, where worse blocks', 1, 1, true, 'warned'],
    ['unfinished, where worse blocks', 0, null, true, 'failed'],
  ])('%s', async (_, before, after, lintBlocks, status) => {
    expect((await check(before, after, lintBlocks)).status).toBe(status);
  });

  it('notices more errors on a base that has some already', async () => {
    const { ctx } = await createCheckContext({
      policy: { lintCommand: 'lint', lintBlocks: true },
      answer: (_, files) => ({ exitCode: 1, outputTail: `Found ${files['src/1'] ? 3 : 2} errors.` }),
    });
    expect(await lint(ctx)).toMatchObject({ status: 'failed', measures: { errors: 3, warnings: 0 } });
  });

  it('says that a linter is not there, instead of calling it as bad as before', async () => {
    expect((await check(127, 127, true)).summary).toBe('lint did not run: its program is not there');
  });

  it('shows what the linter said', async () => {
    expect((await check(0, 1, true)).findings).toEqual(['unused variable']);
  });

  it('looks at the base only when it has to', async () => {
    expect((await check(1, 0, true)).ran).toEqual(['lint @ pristine-2']);
  });

  it('is skipped when no linter is configured', async () => {
    const { ctx } = await createCheckContext();
    expect(await lint(ctx)).toMatchObject({ status: 'skipped' });
  });
});
