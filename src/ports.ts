/**
 * Everything a step may ask of the world; one file per kind of thing in `ports/`. Adapters implement
 * these; the simulator implements them in memory; `test/contracts` holds each to the same facts.
 */
import type { Redactor } from './core/redact.ts';
import type { Agent, Toolbox } from './ports/agent.ts';
import type { Backlog } from './ports/backlog.ts';
import type { Browser } from './ports/browser.ts';
import type { Drops } from './ports/drops.ts';
import type { Artifacts, Reporter } from './ports/people.ts';
import type { Sources } from './ports/source.ts';
import type { Store } from './ports/store.ts';
import type { Workspace } from './ports/workspace.ts';
import type { Clock, Containment, HeldOut, Notary, Random, Shell, Tests, Workers } from './ports/world.ts';

export type { AgentErrorKind, AgentEvent } from './core/agent-event.ts';
export type * from './ports/agent.ts';
export type * from './ports/backlog.ts';
export type * from './ports/browser.ts';
export type * from './ports/drops.ts';
export type * from './ports/people.ts';
export type * from './ports/source.ts';
export type * from './ports/store.ts';
export type * from './ports/workspace.ts';
export type * from './ports/world.ts';

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
  readonly notary: Notary;
  /** How commands of agents and tests are kept apart from the machine; goes into every proof. */
  readonly containment?: Containment;
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
  readonly drops?: Drops;
  /** Takes secrets out of text before it is recorded or put before an agent. */
  readonly redact?: ((text: string) => string) & Partial<Pick<Redactor, 'findKnown'>>;
}
