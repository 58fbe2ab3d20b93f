import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { FOLD_NAME } from '../../scripts/fold-name.js';
import { TEXT_LOADERS } from '../../scripts/text-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles a TypeScript program of the tests so that plain Node can run it as a process of its own. */
export async function buildProgram(source: string, targetDir: string): Promise<string> {
  const outfile = join(targetDir, 'program.mjs');
  await build({
    entryPoints: [join(ROOT, source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite'],
    // The bundle lies outside the repository; packages are still to be found from here.
    define: {
      ...FOLD_NAME,
      'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'package.json')).href),
    },
    loader: TEXT_LOADERS,
    logLevel: 'error',
  });
  return outfile;
}
