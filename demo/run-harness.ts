import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { HarnessEvent } from '../src/core/events/event.ts';
import type { Shop } from './make-shop.ts';

/** A recorded fact, as `harness run --json` tells it on stderr. */
export type ToldEvent = HarnessEvent & {
  readonly seq: number;
  readonly atMs: number;
  /** Which of several workers of its process. */
  readonly lane?: number;
};

export interface HarnessRun {
  readonly pid: number;
  kill(): void;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
}

/** Starts the real command as a process of its own and listens to what it tells. */
export function startHarness(
  shop: Shop,
  onEvent: (event: ToldEvent) => void,
  flags: readonly string[] = [],
): HarnessRun {
  const { HARNESS_TARGET_REPO: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'run', '--all', '--json', ...flags], {
    cwd: shop.project,
    env: { ...env, ...shop.env, HARNESS_CACHE_DIR: shop.cacheDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  createInterface({ input: child.stderr }).on('line', line => {
    const event = parseEvent(line);
    if (event) onEvent(event);
  });
  return {
    pid: child.pid ?? 0,
    kill: () => void child.kill('SIGKILL'),
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
  };
}

function parseEvent(line: string): ToldEvent | null {
  try {
    const value = JSON.parse(line) as Partial<ToldEvent>;
    return typeof value.seq === 'number' && typeof value.type === 'string' ? (value as ToldEvent) : null;
  } catch {
    return null;
  }
}
