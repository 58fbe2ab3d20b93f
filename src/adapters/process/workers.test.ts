import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { getEscapeLine, isRunning, readPidFile, useTempDir } from '../../../test/support/real-processes.ts';
import { getTmpPrefix } from './group-notes.ts';
import { readProcess } from './proc.ts';
import { createRandom } from './random.ts';
import { findMarked } from './sweep.ts';
import { createWorkers } from './workers.ts';

const makeDir = useTempDir();
const workers = createWorkers(createRandom(), { host: 'here' });

/** A program that does what a harness does: names itself and runs a command that leaves things behind. */
async function buildVictim(dir: string): Promise<string> {
  const outfile = join(dir, 'victim.mjs');
  const contents = `
    import { createRandom } from './random.ts';
    import { createShell } from './shell.ts';
    import { createWorkers } from './workers.ts';
    const random = createRandom();
    const { self } = createWorkers(random, { host: 'here' });
    console.log(JSON.stringify(self));
    const shell = createShell({ workerId: self.id, random });
    await shell.run({ command: process.argv[2], cwd: process.cwd(), timeoutMs: 60_000 });
  `;
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' as const };
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  return outfile;
}

test('after kill -9 of a harness nothing of its run is left once the next one has reaped', async () => {
  const dir = makeDir();
  const pidFiles = [join(dir, 'a'), join(dir, 'b')];
  const command = `${pidFiles.map(getEscapeLine).join('\n')}\nsleep 300 | sleep 300`;
  const victim = spawn(process.execPath, [await buildVictim(dir), command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<Buffer>(resolve => victim.stdout.once('data', resolve));
  const worker = JSON.parse(said.toString());
  const pids = await Promise.all(pidFiles.map(readPidFile));

  expect(await workers.check(worker)).toBe('alive');
  const gone = new Promise(resolve => victim.once('exit', resolve));
  victim.kill('SIGKILL');
  await gone;
  expect(await workers.check(worker)).toBe('dead');
  expect(pids.map(isRunning)).toEqual([true, true]);

  expect(await workers.reap({ ...worker, host: 'elsewhere' })).toBe(0);
  expect(await workers.reap(worker)).toBeGreaterThanOrEqual(pids.length);
  expect(findMarked(`${worker.id}:`)).toEqual([]);
  expect(pids.map(isRunning)).toEqual([false, false]);
  expect(await workers.reap(worker)).toBe(0);
});

test('reaping removes the temporary directories of that worker and no other', async () => {
  const dead = { ...workers.self, id: 'w-reaptest' };
  const mine = mkdtempSync(getTmpPrefix(dead.id));
  const other = mkdtempSync(getTmpPrefix(workers.self.id));
  await workers.reap(dead);
  expect([existsSync(mine), existsSync(other)]).toEqual([false, true]);
  await workers.reap(workers.self);
  expect(existsSync(other)).toBe(false);
});

test('a worker is judged by pid, start time and host', async () => {
  const { self } = workers;
  expect(self.id).toMatch(/^w-[a-z0-9]+$/);
  expect(self.startTicks).toBe(readProcess(process.pid)?.startTicks);
  expect(await workers.check(self)).toBe('alive');
  expect(await workers.check({ ...self, startTicks: '1' })).toBe('dead');
  expect(await workers.check({ ...self, pid: 2 ** 22 + 1 })).toBe('dead');
  expect(await workers.check({ ...self, host: 'elsewhere' })).toBe('unknown');
});

test('a worker that is dead but not yet collected by its parent is dead', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 300'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const said = await new Promise<Buffer>(resolve => parent.stdout.once('data', resolve));
    const pid = Number(said.toString());
    const startTicks = readProcess(pid)?.startTicks ?? '';
    while (isRunning(pid)) await new Promise(resolve => setTimeout(resolve, 10));
    expect(readProcess(pid)?.isZombie).toBe(true);
    expect(await workers.check({ ...workers.self, pid, startTicks })).toBe('dead');
  } finally {
    parent.kill('SIGKILL');
  }
});
