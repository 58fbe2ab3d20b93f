import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPids, readProcess } from '../../src/adapters/process/proc.ts';
import type { Violation } from './judge.ts';

/** What only reads may take a moment to notice that its run has ended. */
const LOOKS = 10;
const PAUSE_MS = 50;

/** Nothing of a dead run may stay: no process, no lock, no intent, no temporary folder. */
export async function judgeLeftovers(dir: string): Promise<Violation[]> {
  let processes = findProcesses(dir);
  for (let look = 1; look < LOOKS && processes.length > 0; look++) {
    await sleep(PAUSE_MS);
    processes = findProcesses(dir);
  }
  const stray = [
    ...processes.map(text => `a process is left: ${text}`),
    ...findFiles(dir, ['p/.git', 'cache'], name => name.endsWith('.lock')).map(
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
function findProcesses(dir: string): string[] {
  return readPids().flatMap(pid => {
    const info = readProcess(pid);
    if (pid === process.pid || info === null || info.isZombie) return [];
    const about = [`${readText(`/proc/${pid}/cmdline`)}`, readText(`/proc/${pid}/environ`), readCwd(pid)];
    return about.some(text => text.includes(dir))
      ? [about[0]?.replaceAll('\0', ' ').slice(0, 120) ?? '']
      : [];
  });
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
