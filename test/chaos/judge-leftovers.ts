import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getProcessTable } from '../../src/adapters/process/proc.ts';
import type { Violation } from './judge.ts';

/** What only reads may take a moment to notice that its run has ended. */
const LOOKS = 10;
const PAUSE_MS = 50;

/** Nothing of a dead run may stay: no process, no lock, no intent, no temporary folder. */
export async function judgeLeftovers(dir: string, findsProcesses: boolean): Promise<Violation[]> {
  let processes = findProcesses(dir);
  for (let look = 1; look < LOOKS && processes.length > 0; look++) {
    await sleep(PAUSE_MS);
    processes = findProcesses(dir);
  }
  for (const { pid } of processes) killQuietly(pid);
  const remote = existsSync(join(dir, 'remote.git')) ? ['remote.git'] : [];
  const stray = [
    ...(findsProcesses ? processes : []).map(({ text }) => `a process is left: ${text}`),
    ...findFiles(dir, ['p/.git', 'cache', ...remote], name => name.endsWith('.lock')).map(
      path => `a lock is left: ${path}`,
    ),
    ...findFiles(dir, ['p/.git'], (_, path) => /\/harness-intents\//.test(path)).map(
      path => `an intent is left: ${path}`,
    ),
    ...readdirSync(join(dir, 'tmp')).map(name => `a temporary folder is left: ${name}`),
  ];
  return stray.map(text => ({ kind: 'wedged', text }));
}

/** Whatever runs in, or knows of, the folder of this round. */
function findProcesses(dir: string): { readonly pid: number; readonly text: string }[] {
  return getProcessTable()
    .list()
    .flatMap(({ pid, isZombie }) => {
      if (pid === process.pid || isZombie) return [];
      const about = [readText(`/proc/${pid}/cmdline`), readText(`/proc/${pid}/environ`), readCwd(pid)];
      if (!about.some(text => text.includes(dir))) return [];
      return [{ pid, text: about[0]?.replaceAll('\0', ' ').slice(0, 120) ?? '' }];
    });
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

function findFiles(
  dir: string,
  below: readonly string[],
  isMeant: (name: string, path: string) => boolean,
): string[] {
  return below.flatMap(top =>
    readdirSync(join(dir, top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && isMeant(entry.name, join(entry.parentPath, entry.name)))
      .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1)),
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function readCwd(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
