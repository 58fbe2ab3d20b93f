import { join } from 'node:path';
import { judgeGit } from './judge-git.ts';
import { judgeLeftovers } from './judge-leftovers.ts';
import { judgeStore } from './judge-store.ts';
import type { ChildResult } from './run-child.ts';
import type { Scene } from './scenes.ts';

/**
 * What can be wrong after a round:
 *
 *   lost      a fact, a landing or something of the user's is gone, or record and git disagree
 *   doubled   something happened twice
 *   wedged    the harness does not come to rest, or leaves something that is in the next run's way
 */
export interface Violation {
  readonly kind: 'lost' | 'doubled' | 'wedged';
  readonly text: string;
}

export interface Evidence {
  readonly dir: string;
  readonly scene: Scene;
  /** The user's files as they were before the first run. */
  readonly before: ReadonlyMap<string, string>;
  readonly results: readonly ChildResult[];
}

/** Looks at what the runs left, from outside and without believing any of them. */
export async function judge(evidence: Evidence): Promise<readonly Violation[]> {
  const last = evidence.results.at(-1);
  const leftovers = await judgeLeftovers(evidence.dir);
  if (last?.end !== 'exited' || last.exitCode !== 0) {
    const how = last?.end === 'stuck' ? 'did not end' : `ended with ${last?.exitCode}`;
    return [{ kind: 'wedged', text: `the last run ${how}: ${getEnd(last?.output ?? '')}` }, ...leftovers];
  }
  const { violations, landed } = await judgeStore(join(evidence.dir, 'p', '.harness'), evidence.results);
  return [...violations, ...(await judgeGit(evidence, landed)), ...leftovers];
}

function getEnd(output: string): string {
  return output.trim().split('\n').slice(-2).join(' | ').slice(-600);
}
