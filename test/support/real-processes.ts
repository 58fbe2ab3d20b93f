import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach } from 'vitest';
import { readProcess } from '../../src/adapters/process/proc.ts';

/** A directory for one test, gone after it. */
export function useTempDir(): () => string {
  const made: string[] = [];
  afterEach(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
  });
  return () => {
    const dir = mkdtempSync(join(tmpdir(), 'harness-test-'));
    made.push(dir);
    return dir;
  };
}

/** Whether that process still runs anything; a zombie does not. */
export function isRunning(pid: number): boolean {
  const info = readProcess(pid);
  return info !== null && !info.isZombie;
}

/** Waits until a child has written its pid there. */
export async function readPidFile(path: string): Promise<number> {
  for (;;) {
    try {
      const pid = Number(readFileSync(path, 'utf8').trim());
      if (pid > 0) return pid;
    } catch {
      // Not there yet.
    }
    await sleep(10);
  }
}

/** A shell line that leaves a process behind in a session of its own, deaf to SIGTERM, with its pid in `file`. */
export function getEscapeLine(file: string): string {
  return `setsid sh -c 'trap "" TERM; echo $$ > ${file}; exec sleep 300' &\nwhile [ ! -s ${file} ]; do sleep 0.01; done`;
}
