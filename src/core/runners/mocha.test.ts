import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOCHA_REPORTER, parseMochaJson } from './mocha.ts';

const getTest = (title: string, more: object = {}) => ({
  title,
  file: '/tree/test/sum.js',
  fullTitle: () => `sums ${title}`,
  ...more,
});

test('the reporter leaves what happened under the name it was laid beside', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mocha-'));
  try {
    const program = join(dir, 'report.reporter.cjs');
    await writeFile(program, MOCHA_REPORTER);
    const runner = new EventEmitter();
    createRequire(import.meta.url)(program)(runner);
    const [good, bad, later] = [
      getTest('two', { duration: 2 }),
      getTest('three', { duration: 1 }),
      getTest('more'),
    ];
    runner.emit('test end', good);
    runner.emit('fail', bad, new Error('3 is not 4'));
    runner.emit('test end', bad);
    runner.emit('pending', later);
    runner.emit('test end', later);
    runner.emit('fail', getTest('"before each" hook'), 'thrown as text');
    runner.emit('end');
    const { results } = parseMochaJson(await readFile(join(dir, 'report'), 'utf8'), ['/tree']);
    expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['test/sum.js > sums > two', 'passed'],
      ['test/sum.js > sums > three', 'failed'],
      ['test/sum.js > sums > more', 'skipped'],
      ['test/sum.js > sums > "before each" hook', 'error'],
    ]);
    expect(results[1]?.message).toContain('3 is not 4');
    expect(results[3]?.message).toContain('thrown as text');
  } finally {
    await rm(dir, { recursive: true });
  }
});
