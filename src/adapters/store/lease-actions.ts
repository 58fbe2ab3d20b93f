import type { AppendRequest, Lease, LeaseInfo } from '../../ports/index.ts';
import type { StoreContext } from './store-context.ts';

type Acquire = NonNullable<AppendRequest['acquire']>;
export type Acquired = { ok: true; lease: Lease } | { ok: false; by: LeaseInfo };

/** Takes a resource that is free, expired, or held under exactly the fence that its adopter has seen. */
export function acquireLease(context: StoreContext, request: Acquire, nowMs: number): Acquired {
  const row = readLease(context, request.resource);
  const by = getHolder(row, request.adoptedFence, nowMs);
  if (by) return { ok: false, by };
  const lease: Lease = {
    resource: request.resource,
    owner: request.owner,
    fence: (row?.fence ?? 0) + 1,
    token: context.token(),
    expiresAtMs: nowMs + request.ttlMs,
  };
  context
    .sql(
      'INSERT OR REPLACE INTO leases (resource, fence, owner, token, expires_at_ms) VALUES (?, ?, ?, ?, ?)',
    )
    .run(lease.resource, lease.fence, lease.owner, lease.token, lease.expiresAtMs);
  return { ok: true, lease };
}

export function renewLease(context: StoreContext, lease: Lease, ttlMs: number, nowMs: number): Lease | null {
  if (!isOurs(context, lease)) return null;
  const expiresAtMs = nowMs + ttlMs;
  context.sql('UPDATE leases SET expires_at_ms = ? WHERE resource = ?').run(expiresAtMs, lease.resource);
  return { ...lease, expiresAtMs };
}

/** Frees a resource that is still its holder's; the fence stays, so that the next holder's is higher. */
export function freeLease(context: StoreContext, lease: Lease): void {
  context
    .sql('UPDATE leases SET owner = NULL, token = NULL, expires_at_ms = 0 WHERE resource = ?')
    .run(lease.resource);
}

/** Whether nobody else has had it since, be it over or not. */
export function isOurs(context: StoreContext, lease: Lease): boolean {
  return isUncontested(readLease(context, lease.resource), lease);
}

export function hasLease(context: StoreContext, lease: Lease, nowMs: number): boolean {
  return isCurrent(readLease(context, lease.resource), lease, nowMs);
}

/** Every lease that has not been given back, expired ones too: recovery wants to see them. */
export function readLeases(context: StoreContext): LeaseInfo[] {
  const rows = context.sql(`${SELECT} WHERE token IS NOT NULL ORDER BY resource`).all() as LeaseRow[];
  return rows.map(getLeaseInfo).filter(info => info !== null);
}

const SELECT = 'SELECT resource, fence, owner, token, expires_at_ms AS expiresAtMs FROM leases';

function readLease(context: StoreContext, resource: string): LeaseRow | undefined {
  return context.sql(`${SELECT} WHERE resource = ?`).get(resource) as LeaseRow | undefined;
}

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
  adoptedFence: number | undefined,
  nowMs: number,
): LeaseInfo | null {
  if (row === undefined || nowMs >= row.expiresAtMs || row.fence === adoptedFence) return null;
  return getLeaseInfo(row);
}

/** The public side of a lease that has been taken; null for a free resource. */
export function getLeaseInfo(row: LeaseRow): LeaseInfo | null {
  if (row.owner === null || row.token === null) return null;
  return { resource: row.resource, owner: row.owner, fence: row.fence, expiresAtMs: row.expiresAtMs };
}
