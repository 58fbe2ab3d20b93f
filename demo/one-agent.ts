import type { Cast } from './cast.ts';
import { getDemoResult, isSoundNight } from './count.ts';
import { getShopAgent } from './shop-agent.ts';
import { getShopFiles, HALF_DONE_FILE, KILLED_TASK } from './shop-files.ts';
import { createStory } from './story.ts';

/** The night of one agent. */
export const ONE_AGENT: Cast = {
  night: {
    getFiles: getShopFiles,
    getAgent: getShopAgent,
    ...{ killedTask: KILLED_TASK, halfDoneFile: HALF_DONE_FILE },
  },
  title: 'One night in a small shop',
  opening: `A shopping cart with six tasks to do, each with a test that a person has approved and that fails.
  The agent costs nothing and cannot be trusted. The harness lands only what it has proven itself,
  and somewhere on the way it will be killed with -9.`,
  openStory: ({ say, style }) => ({ ...createStory(say, style), close: () => undefined }),
  getResult: getDemoResult,
  isGood: isSoundNight,
  getMore: () => [],
};
