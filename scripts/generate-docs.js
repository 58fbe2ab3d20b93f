// Writes the files that are made from the config schema: node scripts/generate-docs.js
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const bundle = await build({
  entryPoints: [join(root, 'src/config/config-docs.ts')],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
});
const code = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { getGeneratedFiles } = await import(`data:text/javascript;base64,${code}`);

for (const [path, text] of Object.entries(getGeneratedFiles())) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
