import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { readIndexView } from '../../src/app/project/index-view.ts';
import { HarnessError } from '../../src/core/base/failure.ts';
import { fold } from '../../src/core/events/fold.ts';
import { createRandom } from './campaign.ts';
import { runChild } from './run-child.ts';
import type { Workshop } from './run-round.ts';
import { openScene } from './scenes.ts';

export interface FlipResult {
  readonly flips: number;
  /** How many were told with the file and the way out; the others lie where nothing is kept. */
  readonly told: number;
  /** Facts that were read back as others than were written. */
  readonly lost: number;
  /** Errors that name neither the file nor a way out. */
  readonly wedged: number;
  readonly endless: number;
  readonly texts: readonly string[];
}

/** Every so many flips, a whole run is started on what is left. */
const RUN_EVERY = 25;

/** Flips one bit of a finished project's store at a time, and looks at it as every command does. */
export async function flipBytes(shop: Workshop, flips: number, seed: number): Promise<FlipResult> {
  const random = createRandom(seed);
  const { dir, storeUrl, close } = await openScene(shop, 'away');
  const run = (number: number) =>
    runChild({ ...shop, dir, notes: dir, scene: 'away', storeUrl, kill: null, number: String(number) });
  await run(1);
  const stateDir = join(dir, 'p', '.harness');
  const sound = join(dir, 'sound');
  cpSync(stateDir, sound, { recursive: true });
  const wanted = JSON.stringify(await readAll(sound));
  const total = { flips, told: 0, lost: 0, wedged: 0, endless: 0, texts: [] as string[] };
  for (let flip = 1; flip <= flips; flip++) {
    rmSync(stateDir, { recursive: true, force: true });
    cpSync(sound, stateDir, { recursive: true });
    const where = flipOne(join(stateDir, 'store.db'), random);
    try {
      if (JSON.stringify(await readAll(stateDir)) !== wanted) {
        total.lost++;
        total.texts.push(`${where}: events are others`);
      }
    } catch (error) {
      const isTold = error instanceof HarnessError && /store\.db/.test(error.message) && error.details.fix;
      if (isTold) total.told++;
      else {
        total.wedged++;
        total.texts.push(`${where}: ${String(error)}`);
      }
    }
    if (flip % RUN_EVERY === 0 && (await run(flip + 1)).end === 'stuck') {
      total.endless++;
      total.texts.push(`${where}: a run did not end`);
    }
  }
  await close();
  return total;
}

/** All that has been recorded, and what `status` would say. */
async function readAll(stateDir: string): Promise<unknown> {
  const index = openQuickIndex(stateDir);
  try {
    if (index) readIndexView(index, { nowMs: 0 } as never, stateDir);
    index?.rows({ limit: -1 });
  } finally {
    index?.close();
  }
  const store = await openStore({ stateDir, quickCheck: true });
  try {
    const events = await store.read({});
    fold(events);
    return events;
  } finally {
    await store.close();
  }
}

function flipOne(path: string, random: () => number): string {
  const at = Math.floor(random() * statSync(path).size);
  const bit = Math.floor(random() * 8);
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(path, bytes);
  return `bit ${bit} of byte ${at}`;
}
