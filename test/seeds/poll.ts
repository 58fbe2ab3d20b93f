import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until it is so; fails, with what was looked for, when it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let left = 400; left > 0; left -= 1) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error(`never seen: ${what}`);
}
