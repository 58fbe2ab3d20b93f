import { describe, expect, it } from 'vitest';
import { BASE, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { size } from './size.ts';

const LIMIT = 10;
const lines = (count: number) => 'x\n'.repeat(count);

async function check(before: number | null, after: number, sizeBlocks = false, path = 'src/long') {
  const { ctx } = await createCheckContext({
    base: before === null ? BASE : { ...BASE, [path]: lines(before) },
    candidate: { ...HEALTHY, [path]: lines(after) },
    policy: {
      maxFileLines: LIMIT,
      sizeBlocks,
      environment: {
        install: null,
        init: null,
        reset: null,
        healthCheck: null,
        stop: null,
        lockfiles: ['package-lock.json'],
        acceptUnfilled: [],
      },
    },
  });
  return size(ctx);
}

describe('size', () => {
  it.each([
    ['a file that grows up to the limit', 5, LIMIT, false, 'passed'],
    ['a file that grows beyond it', 5, LIMIT + 1, false, 'warned'],
    ['a new file beyond it', null, LIMIT + 1, false, 'warned'],
    ['a file that grows beyond it, where that blocks', 5, LIMIT + 1, true, 'failed'],
    ['a long file that grows', 20, 21, true, 'failed'],
    ['a long file that shrinks, but not enough', 20, 15, true, 'passed'],
  ])('%s', async (_, before, after, blocks, status) => {
    expect((await check(before, after, blocks)).status).toBe(status);
  });

  it('says which file, and by how much', async () => {
    expect((await check(5, 12)).findings).toEqual([
      'src/long grew from 5 lines and has 12 lines, more than 10: split it by what belongs together',
    ]);
  });

  it('lets lockfiles be as long as they have to be', async () => {
    expect((await check(5, 99, true, 'web/package-lock.json')).status).toBe('passed');
  });

  it('does not count the lines of what is no text', async () => {
    const { ctx } = await createCheckContext({
      candidate: { ...HEALTHY, 'logo.png': `\0${lines(99)}` },
      policy: { maxFileLines: LIMIT, sizeBlocks: true },
    });
    expect((await size(ctx)).status).toBe('passed');
  });
});
