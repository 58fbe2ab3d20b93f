import { judgeGit, judgeUser } from './judge-git.ts';
import { judgeLeftovers } from './judge-leftovers.ts';
import { judgeStore } from './judge-store.ts';
import type { ChildResult } from './run-child.ts';
import type { Scene } from './scenes.ts';

/**
 * What can be wrong after a round:
 *
 *   lost         a fact or a landing is gone, or record and git disagree
 *   doubled      something happened twice
 *   wedged       the harness gives up for good, or leaves something that is in the next run's way
 *   endless      it does not come to an end
 *   userHarmed   something of the user's is changed, locked or half-written
 */
export const KINDS = ['lost', 'doubled', 'wedged', 'endless', 'userHarmed'] as const;

export interface Violation {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

export interface Evidence {
  readonly dir: string;
  readonly scene: Scene;
  readonly storeUrl: string | null;
  /** The user's files as they were before the first run. */
  readonly before: ReadonlyMap<string, string>;
  readonly results: readonly ChildResult[];
  /** False where the runs could not see processes: then some may be left, and must do no harm. */
  readonly findsProcesses: boolean;
}

/** What is known before the first run. */
export type Ground = Pick<Evidence, 'dir' | 'scene' | 'before'>;

/** Looks at what the runs left, from outside and without believing any of them. */
export async function judge(evidence: Evidence): Promise<readonly Violation[]> {
  const last = evidence.results.at(-1);
  const leftovers = await judgeLeftovers(evidence.dir, evidence.findsProcesses);
  if (last?.end !== 'exited' || last.exitCode !== 0) {
    const isStuck = last?.end === 'stuck';
    const how = isStuck ? 'did not end' : `ended with ${last?.exitCode}`;
    const text = `the last run ${how}: ${getEnd(last?.output ?? '')}`;
    return [{ kind: isStuck ? 'endless' : 'wedged', text }, ...leftovers];
  }
  const { violations, record } = await judgeStore(evidence);
  return [...violations, ...(await judgeGit(evidence, record)), ...leftovers];
}

/** A run that nobody killed goes on to its end, whatever becomes of the one beside it. */
export function judgeOther({ end, exitCode, output }: ChildResult): Violation[] {
  if (end === 'stuck') return [{ kind: 'endless', text: `the run beside did not end: ${getEnd(output)}` }];
  if (end === 'exited' && exitCode === 0) return [];
  return [{ kind: 'wedged', text: `the run beside ended with ${exitCode}: ${getEnd(output)}` }];
}

/** Right after a run that something other than a kill was done to: nothing may wait for the next one to mend it. */
export async function judgeHarmed(evidence: Ground, result: ChildResult): Promise<Violation[]> {
  const found = await judgeUser(evidence);
  const goesOn = result.harmed === 'step' || result.harmed === 'sleep' || result.harmed === 'cut';
  if (!goesOn || (result.end === 'exited' && result.exitCode === 0)) return found;
  const text = `${result.harmed} ended the run with ${result.exitCode}: ${getEnd(result.output)}`;
  return [...found, { kind: 'wedged', text }];
}

function getEnd(output: string): string {
  return output.trim().split('\n').slice(-2).join(' | ').slice(-600);
}
