import { describe, expect, it } from 'vitest';
import { check } from '../../../test/support/surface-case.ts';

const PACKAGE = {
  name: 'lib',
  type: 'module',
  devDependencies: { vite: '1', left: '1' },
  dependencies: { left: '1' },
};
const manifest = (more: object) => JSON.stringify({ ...PACKAGE, ...more });
const LIB = {
  'lib/package.json': manifest({ exports: './index.js', bin: './bin.js' }),
  'lib/index.js': "export * from './inner.js';\n",
  'lib/inner.js': 'export const a = 1;\n',
  'lib/bin.js': '#!/usr/bin/env node\n',
  'lib/build.js': 'export const c = 1;\n',
};
const NEW = "import 'vite';\nexport const a = 1;\n";

describe('packages for development only', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['an entry', { 'lib/index.js': `import 'vite';\n${LIB['lib/index.js']}` }],
    ['what an entry imports', { 'lib/inner.js': NEW }],
    ['a program', { 'lib/bin.js': "#!/usr/bin/env node\nimport 'vite/client';\n" }],
    [
      'what an entry imports now',
      { 'lib/build.js': NEW, 'lib/inner.js': "import './build.js';\nexport const a = 1;\n" },
    ],
    ['a function of an entry', { 'lib/inner.js': "export const a = () => import('vite');\n" }],
  ])('are missed in %s', async (_, change) => {
    expect(await check(change, LIB)).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('imports vite, which only devDependencies of lib/package.json names'),
    });
  });

  it('are missed where they were no such packages before', async () => {
    const before = manifest({ exports: './index.js', dependencies: { vite: '1' } });
    const change = { 'lib/package.json': manifest({ exports: './index.js' }) };
    const was = { ...LIB, 'lib/package.json': before, 'lib/inner.js': NEW };
    expect(await check(change, was)).toMatchObject({ status: 'failed' });
  });

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['a script', { 'lib/build.js': NEW, 'lib/vite.config.js': NEW }, {}],
    [
      'a package without entries',
      { 'lib/index.js': NEW },
      { 'lib/package.json': manifest({ private: true }) },
    ],
    ['what is declared twice', { 'lib/inner.js': "import 'left';\nexport const a = 1;\n" }, {}],
    [
      'what is only loaded in development',
      { 'lib/inner.js': "export const a = 1;\nif (a > 1) await import('vite');\n" },
      {},
    ],
    ['what was so before', { 'lib/inner.js': `${NEW}export const b = 1;\n` }, { 'lib/inner.js': NEW }],
    [
      'what moved to the others',
      {
        'lib/inner.js': NEW,
        'lib/package.json': manifest({ exports: './index.js', bin: './bin.js', dependencies: { vite: '1' } }),
      },
      {},
    ],
  ])('are not missed in %s', async (_, change, was) => {
    expect(await check(change, { ...LIB, ...was })).toMatchObject({
      status: expect.stringMatching(/passed|warned/),
    });
  });
});
