/**
 * Everything a step may ask of the world; one file per kind of thing in `ports/`. Adapters implement
 * these; the simulator implements them in memory; `test/contracts` holds each to the same facts.
 */
import type { Redactor } from '../core/base/redact.ts';
import type { Agent, Toolbox } from './agent.ts';
import type { Backlog } from './backlog.ts';
import type { Gates } from './gates.ts';
import type { Artifacts, ContextFiles, Reporter } from './people.ts';
import type { Sources } from './source.ts';
import type { Store } from './store.ts';
import type { Workspace } from './workspace.ts';
import type {
  Browser,
  Clock,
  Containment,
  Hasher,
  HeldOut,
  Random,
  Shell,
  Sockets,
  Tests,
  Workers,
} from './world.ts';

export type { AgentErrorKind, AgentEvent } from '../core/model/agent-event.ts';
export type * from './agent.ts';
export type * from './backlog.ts';
export type * from './gates.ts';
export type * from './people.ts';
export type * from './source.ts';
export type * from './store.ts';
export type * from './workspace.ts';
export type * from './world.ts';

export interface Ports {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly workers: Workers;
  readonly workspace: Workspace;
  readonly backlog: Backlog;
  /** Installs dependencies, which runs what a tree brings along. */
  readonly shell: Shell;
  /** Starts, checks and clears what the project runs in; without one of its own, by `shell`. */
  readonly environment?: Shell;
  readonly tests: Tests;
  /** Alters tests and breaks code; without it the checks that need that say so and are skipped. */
  readonly sources?: Sources;
  readonly agent: Agent;
  /** Tried in order when the agent cannot be had. */
  readonly fallbacks?: readonly Agent[];
  readonly artifacts: Artifacts;
  readonly reporter: Reporter;
  readonly hasher: Hasher;
  /** How commands of agents and tests are kept apart from the machine; goes into every proof. */
  readonly containment?: Containment;
  /** Without it, worktrees have no ports and names of their own. */
  readonly sockets?: Sockets;
  /** Whether tests have no network but a loopback of their own. */
  readonly hasNoTestNetwork?: boolean;
  /** Whether they can be run at the same time: then none is in another's way, and the machine has a core for each. */
  readonly canTestSideBySide?: boolean;
  /** Tools of the harness's own for agents that can use them. */
  readonly toolbox?: Toolbox;
  /** Without it, no tests are held out. */
  readonly heldOut?: HeldOut;
  /** Looks at the running application; absent where nothing may be started for that. */
  readonly browser?: Browser;
  /** What people leave for agents; without it, nobody leaves anything. */
  readonly contextFiles?: ContextFiles;
  /** Asked of the project as a whole; absent where no gate is ever due. */
  readonly gates?: Gates;
  /** Takes secrets out of text before it is recorded or put before an agent. */
  readonly redact?: ((text: string) => string) & Partial<Pick<Redactor, 'findKnown'>>;
}
