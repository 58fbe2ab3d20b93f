import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { makeTempDir } from '../../test/support/git-fixture.ts';
import { createHeldOut } from '../adapters/held-out/held-out.ts';
import { getVerdict } from '../core/model/verdict.ts';
import type { HeldOut } from '../ports/index.ts';
import { heldOut } from './held-out.ts';

/** Held out is `test/secret`, which wants `src/secret`; it is in the tree only while it runs. */
async function judge(given: CheckCase) {
  const bench = await createCheckContext({
    ...given,
    answer: (request, files) => {
      if (request.command !== 'test test/secret') return given.answer?.(request, files);
      const outcome = isThere && files['src/secret'] === 'good' ? 'passed' : 'failed';
      return {
        results: [{ id: 'test/secret > works', outcome, message: 'wants src/secret' }],
        ...given.answer?.(request, files),
      };
    },
  });
  let isThere = false;
  const port: HeldOut = {
    list: async () => [{ path: 'test/secret', sha256: 'abc', text: '' }],
    layFiles: async () => {
      isThere = true;
      return async () => {
        isThere = false;
      };
    },
  };
  const result = await heldOut({ ...bench.ctx, ports: { ...bench.ports, heldOut: port } });
  expect(isThere).toBe(false);
  return result;
}

it('passes with the hash of what was asked when the candidate does what nobody told it', async () => {
  const result = await judge({ candidate: { ...HEALTHY, 'src/secret': 'good' } });
  expect(result).toMatchObject({ status: 'passed', hashes: { 'test/secret': 'abc' } });
});

it('fails without a word to the agent about what the test wants', async () => {
  const result = await judge({});
  expect(result).toMatchObject({ status: 'failed', private: true });
  expect(result.findings.join()).toContain('wants src/secret');
  const verdict = getVerdict([result]);
  expect(verdict.word).toBe('rejected');
  expect(JSON.stringify(verdict)).not.toContain('secret');
});

it.each([{ timedOut: true }, { results: [] }, { reportProblem: 'no report' }])(
  'decides nothing when the run gave nothing: %o',
  async answer => {
    expect(await judge({ answer: () => answer })).toMatchObject({ status: 'inconclusive', private: true });
  },
);

it('is skipped where nothing is held out', async () => {
  const { ctx } = await createCheckContext();
  expect(await heldOut(ctx)).toMatchObject({ status: 'skipped' });
});

it('takes the files of all tasks and of this one, and writes through no link of the candidate', async () => {
  const root = makeTempDir();
  const dir = makeTempDir();
  const files = { 'all/test/a.test.js': 'a', '7/test/b.test.js': 'b', '8/test/c.test.js': 'c' };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const outside = join(makeTempDir(), 'outside');
  writeFileSync(outside, 'untouched');
  mkdirSync(join(dir, 'test'));
  symlinkSync(outside, join(dir, 'test/b.test.js'));
  const kept = createHeldOut(root);
  expect((await kept.list('7')).map(({ path }) => path)).toEqual(['test/a.test.js', 'test/b.test.js']);
  const takeOut = await kept.layFiles('7', dir);
  expect(readFileSync(join(dir, 'test/b.test.js'), 'utf8')).toBe('b');
  expect(readFileSync(outside, 'utf8')).toBe('untouched');
  await takeOut();
  expect(() => readFileSync(join(dir, 'test/b.test.js'))).toThrow();
});
