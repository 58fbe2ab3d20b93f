import type { Moves } from './shop-agent.ts';
import type { DemoAgent } from './shop-files.ts';

/** What is played in one night: the project as it is in the evening, the agent's part, and the shot. */
export interface Night {
  getFiles(agent: DemoAgent): Readonly<Record<string, string>>;
  getAgent(): Script;
  /** The task during which the harness is killed, and the file that its agent has half written by then. */
  readonly killedTask: string;
  readonly halfDoneFile: string;
  /** So many at once; one where it is not said. */
  readonly workers?: number;
}

/** The moves of each task, those of its first, second … session where they differ. */
export interface Script {
  readonly tasks: Readonly<Record<string, Moves | { readonly attempts: readonly Moves[] }>>;
}
