import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { createLock } from './lock.ts';

const dir = makeTempDir();
const program = join(dir, 'count.mjs');

beforeAll(() => {
  const source = `import { readFileSync, writeFileSync } from 'node:fs';
    import { createLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    const [lock, file, times] = process.argv.slice(2);
    const alone = createLock(lock);
    for (let i = 0; i < Number(times); i++)
      alone(() => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1)));
    alone(() => { writeFileSync(file + '.held', ''); while (times === '0') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); });`;
  const banner =
    "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
  buildSync({
    ...{
      stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
      outfile: program,
      bundle: true,
    },
    ...{ platform: 'node', format: 'esm', external: ['@photostructure/sqlite', 'node:sqlite'] },
    banner: { js: banner },
  });
});

const env = { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') };

it('lets one process at a time read and write on, and stays an empty file', async () => {
  const [lock, file] = [join(dir, 'lock'), join(dir, 'count')];
  writeFileSync(file, '0');
  const runs = [1, 2, 3].map(() => spawn(process.execPath, [program, lock, file, '200'], { env }));
  const codes = await Promise.all(runs.map(run => new Promise(resolve => run.on('exit', resolve))));
  expect(codes).toEqual([0, 0, 0]);
  expect(readFileSync(file, 'utf8')).toBe('600');
  expect(statSync(lock).size).toBe(0);
});

it('is free again when its holder is killed, and passed by when that stands still', async () => {
  const [lock, file] = [join(dir, 'held'), join(dir, 'other')];
  const run = spawn(process.execPath, [program, lock, file, '0'], { env });
  while (!existsSync(`${file}.held`)) await sleep(20);
  const alone = createLock(lock);
  expect(alone(() => 'done')).toBe('done');
  run.kill('SIGKILL');
  await new Promise(resolve => run.on('exit', resolve));
  expect(alone(() => spawnSync('true').status)).toBe(0);
});
