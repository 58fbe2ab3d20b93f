import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { BASE, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { protectedFiles } from './protected.ts';

const CHECK = `import * as till from '../src/till.js';
import { cases } from './cases.mjs';
const rates = JSON.parse(readFileSync('rates/all.json', 'utf8'));
`;
const FILES: Files = {
  'tools/check.mjs': CHECK,
  'tools/cases.mjs': 'export const cases = [];',
  'tools/all.sh': 'cd "$(dirname "$0")"\nnode check.mjs\n',
  'tools/build.mjs': "import './more.mjs';",
  'rates/all.json': '[1]',
  Makefile: 'check:\n\tsh tools/all.sh\n',
  'src/till.js': 'export const total = 1;',
  'src/prices.js': "readFileSync(new URL('./prices.json', import.meta.url))",
  'src/prices.json': '[1]',
  'src/testing/kit.js': "import assert from 'node:assert/strict';",
  'src/fixtures/league.js': 'export const season = 1;',
  'fixtures/tax.json': '[1]',
  'fixtures/seed.json': '[1]',
  'examples/expected.txt': '120',
  'locales/en.json': '{}',
  'src/words.js': 'readFileSync(`locales/$' + '{lang}.json`)',
  'seed.js': "load('fixtures/seed.json');",
  'check.py': 'import till\nassert till.total == 1\n',
  'till.py': 'total = 1',
  'README.md': 'Till',
  'test/till': 'x',
  'test/till.test.js': `import { total } from '../src/till.js';
import { same } from '../src/testing/kit.js';
import { season } from '../src/fixtures/league.js';
read('../fixtures/tax.json'); read('examples/expected.txt'); read('src/prices.json'); read('locales/en.json');
read('README.md');
`,
};

async function change(path: string, command: string | null = null): Promise<string> {
  const validation = command === null ? null : { command, timeoutSeconds: 9 };
  const { ctx } = await createCheckContext({
    base: { ...BASE, ...FILES },
    candidate: { ...HEALTHY, ...FILES, [path]: 'rewritten' },
    task: { validation },
  });
  const { status, findings } = await protectedFiles(ctx);
  return status === 'passed' ? 'free' : (findings[0] ?? '');
}

describe('files that the commands of a proof use', () => {
  it.each([
    ['tools/check.mjs', 'node tools/check.mjs'],
    ['tools/check.mjs', 'timeout 60 node tools/check'],
    ['tools/cases.mjs', 'node tools/check.mjs'],
    ['rates/all.json', 'node tools/check.mjs'],
    ['tools/all.sh', 'make check'],
    ['tools/check.mjs', 'make check'],
    ['tools/cases.mjs', 'cd tools && sh all.sh'],
    ['check.py', 'python3 check.py'],
    ['examples/expected.txt', 'sh run.sh > out; cmp out examples/expected.txt'],
  ])('%s is guarded by %s', async (path, command) => {
    expect(await change(path, command)).toMatch(/the commands that prove the work use it/);
  });

  it.each([
    ['src/till.js', 'node tools/check.mjs'],
    ['src/till.js', 'node src/till.js'],
    ['till.py', 'python3 check.py'],
    ['till.py', 'python3 till.py 100 | grep -q 120'],
    ['tools/build.mjs', 'node tools/check.mjs'],
    ['README.md', 'grep -q Till README.md'],
  ])('%s is not guarded by %s', async (path, command) => {
    expect(await change(path, command)).toBe('free');
  });

  it('cannot be replaced by another that is found first', async () => {
    expect(await change('tools/check', 'node tools/check')).toMatch(/added beside tools\/check.mjs/);
  });
});

describe('files that only tests use', () => {
  it.each(['fixtures/tax.json', 'examples/expected.txt', 'src/testing/kit.js'])(
    '%s is guarded',
    async path => {
      expect(await change(path)).toMatch(/tests use it and nothing else does/);
    },
  );

  it.each([
    'src/till.js',
    'src/prices.json',
    'src/fixtures/league.js',
    'fixtures/seed.json',
    'locales/en.json',
    'README.md',
  ])('%s is not: the product is, or uses, it', async path => {
    expect(await change(path)).toBe('free');
  });
});
