import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { SHELL_ENV } from './git-fixture.ts';

/** Runs `harness run --all`, or another command, and kills it with -9 once the agent of a task has written a file. */
export async function runUntilKilled(
  cwd: string,
  task: string,
  file: string,
  args: readonly string[] = ['run', '--all'],
): Promise<string | null> {
  const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(cwd), 'cache') };
  const child = spawn(process.execPath, [inject('harnessProgram'), ...args, '--json'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let dir = '';
  const kill = async (): Promise<void> => {
    while (!existsSync(join(dir, file)) && child.exitCode === null) await sleep(20);
    child.kill('SIGKILL');
  };
  createInterface({ input: child.stderr }).on('line', line => {
    const event = JSON.parse(line) as { type: string; task?: string; dir?: string };
    if (event.type === 'attempt.prepared') dir = event.dir ?? '';
    if (event.type === 'session.started' && event.task === task) void kill();
  });
  return new Promise(resolve => child.on('close', (_, signal) => resolve(signal)));
}
