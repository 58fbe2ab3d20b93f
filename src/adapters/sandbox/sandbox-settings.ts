import type { Elsewhere } from './elsewhere.ts';
import type { OwnHome } from './own-home.ts';
import type { BwrapFeatures, NetworkAccess } from './sandbox-plan.ts';

/** What a project wants of its sandbox; paths are absolute but not yet resolved. */
export interface SandboxSettings {
  /** The whole path of bubblewrap. */
  readonly bwrap: string;
  readonly features: BwrapFeatures;
  readonly network: NetworkAccess;
  readonly home: string;
  /** Places that must not be seen: records, git directories, other worktrees. */
  readonly hidden: readonly string[];
  /** Places that must be seen although something around them is hidden. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The home folder beside a tree, by the tree; null anywhere else. */
  readonly getOwnHome?: (cwd: string) => OwnHome | null;
  /** Folders of toolchains outside the home folder in which installs write. */
  readonly elsewhere?: readonly Elsewhere[];
  /** Agents whose own folders are given to this process; everybody else's stay away. */
  readonly agents: readonly string[];
}
