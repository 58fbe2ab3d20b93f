import { join } from 'node:path';
import { openStore } from '../../src/adapters/store/open-store.ts';
import type { Cast, Listeners, Story } from '../cast.ts';
import type { DemoAgent } from '../shop-files.ts';
import { type BusyResult, getBusyResult, isBusyNightSound } from './busy-count.ts';
import { getBusyNight } from './busy-night.ts';
import { openBusyScreen } from './busy-screen.ts';
import { createBusyStory } from './busy-story.ts';

/** The night of several agents. */
export function getBusyCast(workers: number, agent: DemoAgent): Cast<BusyResult> {
  return {
    night: getBusyNight(workers, agent),
    title: 'One night in a busy shop',
    opening: `A shopping cart with eight tasks to do, and ${workers} agents at once, each in a lane of its own.
  They cost nothing and cannot be trusted. Two of them will write in the same place, and two will each
  be right alone and wrong together. The harness lands only what it has proven, alone and together,
  and somewhere on the way it will be killed with -9.`,
    openStory,
    getResult: (stock, played) => getBusyResult(stock, played, workers),
    isGood: isBusyNightSound,
    getMore: ({ conflicts, semanticConflicts, batches }) => [
      [
        conflicts >= 1 && semanticConflicts >= 1,
        `${conflicts} did not fit by its text and ${semanticConflicts} by its meaning: caught in the queue, solved in the next try`,
      ],
      [batches >= 1, `${workers} agents at once, and ${batches} landings through the merge queue`],
    ],
  };
}

function openStory({ say, style, shop, isWatched }: Listeners): Story {
  const screen = isWatched ? openBusyScreen() : null;
  const story = createBusyStory(screen?.print ?? say, style);
  return {
    onKilled: story.onKilled,
    onEvent(event) {
      story.onEvent(event);
      screen?.note(event);
    },
    async onRestart() {
      const store = await openStore({ stateDir: join(shop.project, '.harness'), quickCheck: true });
      screen?.restart(await store.read({}).finally(() => store.close()));
      (screen?.print ?? say)(`     ${style.dim('$ harness run --all --workers …')}   It is started again.\n`);
    },
    close: () => screen?.close(),
  };
}
