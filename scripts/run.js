// Runs a TypeScript entry of this repository on any supported Node: bundles it, then imports it.
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FOLD_NAME } from './fold-name.js';
import { TEXT_LOADERS } from './text-files.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [entry, ...args] = process.argv.slice(2);
if (!entry) throw new Error('usage: node scripts/run.js <entry.ts> [arguments]');
const out = join(root, 'node_modules', '.cache', 'harness', `${basename(entry, '.ts')}-${process.pid}.mjs`);
mkdirSync(dirname(out), { recursive: true });
await build({
  entryPoints: [join(root, entry)],
  outfile: out,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@photostructure/sqlite', 'node:sqlite', 'esbuild', 'vitest', 'jiti', 'gpt-tokenizer'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  loader: TEXT_LOADERS,
  define: FOLD_NAME,
  logLevel: 'warning',
});
process.argv = [process.argv[0], out, ...args];
await import(pathToFileURL(out).href);
