import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readConfigFiles } from './find-config.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function makeRoot(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'harness-config-files-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it('finds what a configuration loads, at whatever distance, and what it reads', () => {
  const root = makeRoot({
    'harness.config.ts': "import { name } from './src/settings';\nexport default { project: { name } };\n",
    'src/settings.ts': "import './deep/more.mjs';\nexport const name = 'shop';\n",
    'src/deep/more.mjs': "readFileSync('tools/names.json');\n",
    'tools/names.json': '{}',
    'src/other.ts': '',
  });
  const found = ['src/settings.ts', 'src/deep/more.mjs', 'tools/names.json'];
  expect(readConfigFiles(root, 'harness.config.ts')).toEqual(found);
});

it('finds nothing where the configuration is no program', () => {
  expect(readConfigFiles(makeRoot({ '.harness.yaml': "full: 'src/a.js'" }), '.harness.yaml')).toEqual([]);
});
