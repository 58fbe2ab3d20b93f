import type { ProviderName } from '../../../core/model/provider.ts';
import type { Agent, Clock, Shell } from '../../../ports/index.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';

/**
 * One way to have an agent, as its folder's index describes it. A descriptor loads neither an SDK nor
 * the code around it before an agent is asked to work.
 */
export interface Provider extends Pick<Agent, 'capabilities' | 'reportsTools'> {
  /** What the configuration calls it; what settings and rules know of it stands in `core/model/provider.ts`. */
  readonly name: ProviderName;
  create(settings: AgentSettings, tools: AgentTools): Promise<Driver>;
  /** Where there is something to log in to, and the agent does not see to it by itself. */
  readonly login?: {
    /** How it would be done, without trying it; null when there is no way. */
    find(env: Env): string | null;
    readonly fix: string;
  };
  /** What `doctor` says of it besides what holds for every provider; null when that is nothing. */
  examine?(project: ExaminedProject): Promise<Finding | null>;
}

/** What runs sessions, whatever it is called. */
export type Driver = Pick<Agent, 'run'>;

/** How agents are to be run, as the configuration has it; each provider takes what it knows. */
export interface AgentSettings {
  /** A shell line. */
  readonly command?: string | null;
  /** The file that the scripted agent plays, seen from the project. */
  readonly script?: string | null;
  /** Names of variables that the agent may see from our own environment. */
  readonly passEnv?: readonly string[];
  /** Whether lines such as `[FILE:WRITE] path` are read as more than text. */
  readonly readPrefixes?: boolean;
  /** Whether files and processes are looked at while a program says nothing of what it does. */
  readonly tracksFallback?: boolean;
  /** What becomes of a session in which no line has one. */
  readonly missingPrefixes?: 'ignore' | 'warn' | 'refuse';
  /** The user's checkout; packages and scripts are looked for there. */
  readonly projectRoot: string;
  readonly model?: string;
  readonly effort?: string;
  /** Whether it may run commands at all. */
  readonly hasShell?: boolean;
  /** Longest time of one command. */
  readonly shellTimeoutMs?: number;
  /** Whether hooks, servers and instructions that the repository brings are taken; nobody is asked then. */
  readonly trustRepo?: boolean;
  /** Why a command must not run, in words for the agent; null when it may. */
  readonly refuse?: (command: string) => string | null;
  /** The same by the configuration's own words alone. */
  readonly deny?: (command: string) => string | null;
  /** Between asking its processes to end and making them. */
  readonly graceMs?: number;
}

export interface AgentTools {
  readonly owner: SpawnOwner;
  readonly shell: Shell;
  readonly clock: Clock;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface ExaminedProject extends Pick<AgentSettings, 'script' | 'trustRepo'> {
  readonly root: string;
  readonly configFile: string;
}

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix?: string;
}
