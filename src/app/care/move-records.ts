import { createHash } from 'node:crypto';
import type { LeaseRow } from '../../adapters/store/lease-actions.ts';
import type { PlainEvent, Rest, StoreEnd, WithEnd } from '../../adapters/store/store-end.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getCount } from '../../core/base/text.ts';

export interface MovedRecords {
  readonly from: string;
  readonly to: string;
  /** In all, and how many of them were not there before. */
  readonly events: number;
  readonly copied: number;
  /** Of every event, the same at both ends. */
  readonly sha256: string;
  /** An earlier move had been cut short, or was complete. */
  readonly isAgain: boolean;
}

/** Seams for tests of what a kill leaves behind. */
interface MoveHooks {
  onCopied?(): void;
}

const PAGE = 500;

/**
 * Moves all records from one store to another. Both ends are closed to other writers while it goes on; the target
 * counts first and the source is marked after that. A kill anywhere leaves either nothing or a target that the same
 * command finds complete: whatever the target has must be how the source begins, or the other way round.
 */
export function moveRecords(
  withSource: WithEnd,
  withTarget: WithEnd,
  hooks: MoveHooks = {},
): Promise<MovedRecords> {
  return withSource(async source => {
    const moved = await withTarget(target => copy(source, target));
    hooks.onCopied?.();
    await source.setMoved(moved.to);
    return moved;
  });
}

async function copy(source: StoreEnd, target: StoreEnd): Promise<MovedRecords> {
  if (source.movedTo !== null && source.movedTo !== target.where)
    throw new HarnessError('state', `the records in ${source.where} were moved to ${source.movedTo} before`, {
      file: source.where,
      fix: 'move them from there',
    });
  if (source.events === 0 && source.movedTo === null && target.events > 0)
    throw new HarnessError('usage', `there are no records in ${source.where} to be moved`, {
      file: source.where,
      fix: `those in ${target.where} are the only ones`,
    });
  const rest = await source.readRest();
  const common = Math.min(source.events, target.events);
  const begun = await hashEvents(source, common);
  if (begun !== (await hashEvents(target, common))) throw getOthersError(target);
  const answer = {
    from: source.where,
    to: target.where,
    isAgain: target.events > 0 || source.movedTo !== null,
  };
  // The records went on there after an earlier move: nothing here is newer.
  if (source.movedTo !== null || target.events > source.events) {
    if (target.events < source.events) throw getOthersError(target);
    return { ...answer, events: target.events, copied: 0, sha256: await hashEvents(target, target.events) };
  }
  refuseLiving(rest, source.where);
  for await (const page of readPages(source, common, source.events)) await target.putEvents(page);
  await target.putRest(rest);
  await target.setMoved(null);
  const sha256 = await hashEvents(source, source.events);
  const copied = source.events - common;
  await compare(target, source.events, sha256);
  return { ...answer, events: source.events, copied, sha256 };
}

/** Read again from where it was written: count, versions and every byte are in the hash. */
async function compare(target: StoreEnd, count: number, sha256: string): Promise<void> {
  const beyond = await target.readEvents(count, 1);
  if (beyond.length === 0 && (await hashEvents(target, count)) === sha256) return;
  throw new HarnessError(
    'internal',
    `what ${target.where} gave back is not what was written; nothing was moved`,
  );
}

async function hashEvents(end: StoreEnd, count: number): Promise<string> {
  const hash = createHash('sha256');
  let seen = 0;
  for await (const page of readPages(end, 0, count)) {
    for (const { seq, stream, version, atMs, type, task, body } of page)
      hash.update(`${JSON.stringify([seq, stream, version, atMs, type, task, body])}\n`);
    seen += page.length;
  }
  return `${hash.digest('hex')}${seen === count ? '' : ` of ${seen}`}`;
}

async function* readPages(end: StoreEnd, after: number, last: number): AsyncGenerator<readonly PlainEvent[]> {
  for (let at = after; at < last; ) {
    const page = await end.readEvents(at, Math.min(PAGE, last - at));
    const newest = page.at(-1);
    if (!newest) return;
    yield page;
    at = newest.seq;
  }
}

/** Whoever holds one writes by it: moved under its feet, its next word would be refused. */
function refuseLiving({ leases, nowMs }: Rest, where: string): void {
  const living = leases.filter(({ token, expiresAtMs }: LeaseRow) => token !== null && nowMs < expiresAtMs);
  const [first] = living;
  if (!first) return;
  const seconds = Math.ceil((Math.max(...living.map(({ expiresAtMs }) => expiresAtMs)) - nowMs) / 1_000);
  const who = [...new Set(living.map(({ owner }) => owner))].join(', ');
  throw new HarnessError('locked', `${getCount(living.length, 'lease')} in ${where} still held, by ${who}`, {
    file: where,
    fix: `harness stop, and wait for the runs to end; leases of those that died run out within ${seconds} s`,
  });
}

function getOthersError(target: StoreEnd): HarnessError {
  return new HarnessError(
    'state',
    `${target.where} has other records of this project (${getCount(target.events, 'event')})`,
    {
      file: target.where,
      fix: 'take those that the other hosts use (harness store there says which), and put the others aside: another store.project, another database, store.db moved away',
    },
  );
}
