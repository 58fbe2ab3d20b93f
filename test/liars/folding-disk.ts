import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where names that differ only in capitals or accents are one. */
export interface FoldingDisk {
  readonly root: string;
  unmount(): void;
}

/** Debian's, since its packages are there: python3-fusepy. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = join(process.cwd(), 'test', 'liars', 'folding-disk.py');

/** The folder itself where its disk folds names; otherwise one that is mounted over it. */
export function mountFoldingDisk(dir: string): FoldingDisk {
  const [below, root] = [join(dir, 'below'), join(dir, 'disk')];
  for (const path of [below, root]) mkdirSync(path, { recursive: true });
  if (isFolding(root)) return { root, unmount: () => undefined };
  const child = spawn(PYTHON, [PROGRAM, below, root], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.unref();
  for (let tries = 0; tries < 50; tries += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (isFolding(root)) return { root, unmount: () => spawnSync('umount', ['--lazy', root]) };
  }
  throw new Error('no disk that folds names can be mounted: apt-get install python3-fusepy, and be root');
}

function isFolding(dir: string): boolean {
  const probe = join(dir, 'Probe');
  writeFileSync(probe, '');
  const isFolded = existsSync(join(dir, 'pROBE'));
  rmSync(probe);
  return isFolded;
}
