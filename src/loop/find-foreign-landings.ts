import { HarnessError } from '../core/base/failure.ts';
import { getLandingsText, getUntracedLandings } from '../core/decide/foreign-landings.ts';
import type { State } from '../core/state/state.ts';
import type { Landing, Ports } from '../ports/index.ts';

type Seen = Pick<Ports, 'store' | 'workspace'>;

/**
 * Landings between two tips of a shared remote that nothing in these records led to: somebody works with others. What
 * hosts with the same records land is recorded before it is pushed, and the records are read after the tip was.
 */
export async function findForeignLandings(
  { store, workspace }: Seen,
  state: State,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly Landing[]> {
  if (workspace.fetch === undefined) return [];
  const untraced = getUntracedLandings(state, await workspace.findLandings(from, to));
  if (untraced.length === 0) return [];
  const known = new Set<string | undefined>();
  const types = ['verdict.given', 'candidate.queued', 'landing.started', 'task.landed'] as const;
  for (const { event } of await store.read({ types })) {
    // A person may have put the same commit somewhere else: the record of its proof goes along, and is like no other.
    if (event.type === 'verdict.given') known.add(event.proof.recordHash);
    else if ('commit' in event) known.add(String(event.commit));
  }
  return untraced.filter(({ commit, record }) => !known.has(commit) && !(record && known.has(record)));
}

/** Whoever goes on beside them does everything a second time. */
export async function refuseForeignLandings(
  seen: Seen,
  state: State,
  range: { readonly from: string; readonly to: string },
): Promise<void> {
  const found = await findForeignLandings(seen, state, range);
  if (found.length === 0) return;
  const message = `${getLandingsText(found)} landed just now, and these records know nothing of it: another host works with other records`;
  throw new HarnessError('config', message, {
    field: 'store.url',
    fix: 'give all hosts one database (HARNESS_STORE_URL; harness store says which this host has), then run again: nothing is lost',
  });
}
