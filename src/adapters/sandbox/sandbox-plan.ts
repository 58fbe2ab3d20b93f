/**
 * What one contained process sees of the machine, with every path already resolved. The whole disk is
 * there read-only; the mounts below change that, and of two that concern a path the longer one decides.
 */
export interface SandboxPlan {
  readonly cwd: string;
  /** `off` leaves a loopback of its own, so that servers inside can still be talked to from inside. */
  readonly network: NetworkAccess;
  /** Root may write kernel settings without any capability, so these have to be covered. */
  readonly isRoot: boolean;
  readonly mounts: readonly SandboxMount[];
  readonly features: BwrapFeatures;
}

export type NetworkAccess = 'on' | 'off';

export type SandboxMount =
  /** As it is on disk, not to be changed. */
  | { readonly kind: 'read-only'; readonly at: string }
  | { readonly kind: 'writable'; readonly at: string }
  /** A fresh folder of this run instead of what is there. */
  | { readonly kind: 'private'; readonly at: string; readonly from: string }
  /** Something of ours instead of what is there, not to be changed. */
  | { readonly kind: 'shown'; readonly at: string; readonly from: string }
  /** An empty read-only folder instead of what is there. */
  | { readonly kind: 'empty-folder'; readonly at: string; readonly isInTree?: true }
  | { readonly kind: 'empty-file'; readonly at: string; readonly isInTree?: true }
  | { readonly kind: 'link'; readonly at: string; readonly to: string };

/** What the installed bubblewrap can do beyond the oldest one we support. */
export interface BwrapFeatures {
  /** No namespaces inside the sandbox (bubblewrap 0.8). */
  readonly disableUserns: boolean;
}
