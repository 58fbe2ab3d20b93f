import type { Lease, LeaseInfo } from '../../ports/index.ts';

/** A resource as a store keeps it: the fence outlives the lease, the rest is null when it is free. */
export interface LeaseRow {
  readonly resource: string;
  readonly fence: number;
  readonly owner: string | null;
  readonly token: string | null;
  readonly expiresAtMs: number;
}

/** Whether a lease still is what its holder believes: fence, token and time. */
export function isCurrent(row: LeaseRow | undefined, lease: Lease, nowMs: number): boolean {
  return isUncontested(row, lease) && nowMs < (row?.expiresAtMs ?? 0);
}

/**
 * Whether nobody has had the resource since: whoever takes it, in time or after, changes fence and token. A
 * machine that slept, or whose clock was put forward, comes back to a lease that is over and still its own.
 */
export function isUncontested(row: LeaseRow | undefined, lease: Lease): boolean {
  return row !== undefined && row.token === lease.token && row.fence === lease.fence;
}

/** Who stands in the way of taking a resource now; null when it can be had. */
export function getHolder(
  row: LeaseRow | undefined,
  takeover: number | undefined,
  nowMs: number,
): LeaseInfo | null {
  if (row === undefined || nowMs >= row.expiresAtMs || row.fence === takeover) return null;
  return getLeaseInfo(row);
}

/** The public side of a lease that has been taken; null for a free resource. */
export function getLeaseInfo(row: LeaseRow): LeaseInfo | null {
  if (row.owner === null || row.token === null) return null;
  return { resource: row.resource, owner: row.owner, fence: row.fence, expiresAtMs: row.expiresAtMs };
}
