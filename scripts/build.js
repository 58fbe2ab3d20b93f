// Bundles the command and the library; every command is a lazy chunk, so that `status` loads almost nothing.
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FOLD_NAME } from './fold-name.js';
import { TEXT_LOADERS } from './text-files.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  external: ['@photostructure/sqlite', 'node:sqlite'],
  loader: TEXT_LOADERS,
  logLevel: 'warning',
};

/** Builds into a folder, which is emptied first; tests build into one of their own, with plugins that break things. */
export async function buildAll(dist = join(root, 'dist'), plugins = []) {
  rmSync(dist, { recursive: true, force: true });
  // The entry answers the quickest questions by itself: one CommonJS file, since Node starts those sooner.
  await build({
    ...COMMON,
    outdir: dist,
    entryPoints: { harness: 'src/cli/main.ts' },
    format: 'cjs',
    define: { ...FOLD_NAME, 'import.meta.url': '__filename' },
    plugins: [{ name: 'rest', setup: leaveOut }, ...plugins],
  });
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
  await buildModules({ program: 'src/cli/program.ts', index: 'src/index.ts' }, dist, plugins);
  chmodSync(join(dist, 'harness.js'), 0o755);
}

/** Everything but the entry, in chunks; a test builds one part of it to see what bundling makes of it. */
export async function buildModules(entryPoints, dist, plugins = []) {
  await build({
    ...COMMON,
    outdir: dist,
    entryPoints,
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    define: FOLD_NAME,
    plugins,
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

function leaveOut(plugin) {
  plugin.onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: './program.mjs', external: true }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildAll(process.argv[2]);
