import { HarnessError } from '../../src/core/base/failure.ts';
import type { Night } from '../night.ts';
import type { DemoAgent } from '../shop-files.ts';
import { HALF_DONE_FILE } from '../shop-files.ts';
import { getBusyAgent } from './busy-agent.ts';
import { BUSY_KILLED_TASK, getBusyFiles } from './busy-files.ts';

/** With one there is nothing to collide with; more than eight find nothing to do. */
const FEWEST = 2;
const MOST = 8;

/** The night of several agents; refused where the story could not be played. */
export function getBusyNight(workers: number, agent: DemoAgent): Night {
  const problem =
    agent !== 'scripted'
      ? `--agent ${agent} plays alone: a model that answers from a script cannot tell several agents apart`
      : `--workers takes ${FEWEST} to ${MOST} here, and not ${workers}`;
  if (agent !== 'scripted' || workers < FEWEST || workers > MOST)
    throw new HarnessError('usage', problem, { fix: 'harness demo --workers 4' });
  return {
    getFiles: getBusyFiles,
    getAgent: getBusyAgent,
    ...{ killedTask: BUSY_KILLED_TASK, halfDoneFile: HALF_DONE_FILE, workers },
  };
}
