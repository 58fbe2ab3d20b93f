import type { DropRole } from '../core/model/drop.ts';

/** A file that somebody left for a role. */
export interface Drop {
  /** Where it lies, as people know it. */
  readonly name: string;
  readonly role: DropRole;
  readonly sha256: string;
  /** Null when it cannot be told; `problem` says why. */
  readonly text: string | null;
  readonly problem: string | null;
}

/** What people leave for agents. Nothing in it is ever run. */
export interface Drops {
  /** What lies there for these roles, oldest first. */
  list(roles: readonly DropRole[]): Promise<readonly Drop[]>;
  /** Puts it away, with what became of it; doing so twice has the effect of once. */
  archive(drop: Drop, became: Readonly<Record<string, string | number | null>>): Promise<void>;
}
