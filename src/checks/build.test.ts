import { describe, expect, it } from 'vitest';
import { createCheckContext } from '../../test/support/check-bench.ts';
import { judgeForReal } from '../../test/support/real-checks.ts';
import { CHECK_NAMES } from '../core/model/check.ts';
import { build } from './build.ts';

const without = CHECK_NAMES.filter(name => name !== 'build');
const base = { 'src/a': 'a\n', 'dist/a': 'a\n', 'other/stamp': '0\n' };

async function judge(change: Record<string, string>, buildCommand: string) {
  const { results } = await judgeForReal({
    base,
    change,
    testFile: 'test/1',
    policy: { buildCommand },
    without,
  });
  return results[0];
}

describe('the build', () => {
  it('has to leave built files as they are, where it did on the base', async () => {
    const stale = await judge({ 'src/a': 'b\n' }, 'cp src/* dist/');
    expect(stale).toMatchObject({ status: 'failed', summary: expect.stringContaining('dist/a is not what') });
    expect(await judge({ 'src/a': 'b\n', 'dist/a': 'b\n' }, 'cp src/* dist/')).toMatchObject({
      status: 'passed',
    });
  });

  it('says nothing about folders where it never makes the same twice', async () => {
    const command = 'date +%N > other/stamp; cp src/* dist/';
    expect(await judge({ 'src/b': 'b\n', 'dist/b': 'b\n' }, command)).toMatchObject({ status: 'warned' });
  });

  it('has to pass if it passed on the base, and only then', async () => {
    expect(await judge({ 'src/a': 'x\n' }, 'grep -q a src/a')).toMatchObject({ status: 'failed' });
    expect(await judge({ 'src/a': 'x\n' }, 'false')).toMatchObject({ status: 'warned' });
  });

  it('is skipped where there is none', async () => {
    const { ctx } = await createCheckContext();
    expect(await build(ctx)).toMatchObject({ status: 'skipped' });
  });
});
