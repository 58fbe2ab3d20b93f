import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Store } from '../../ports/index.ts';
import { readMoment, type StoreContext } from './store-context.ts';

/** The part of the port that keeps what a fold came to. */
export type SavedStates = Pick<Store, 'savedGet' | 'savedPut' | 'partsGet' | 'partPut'>;

/** No part is called so: those have the hash of what they hold. */
export const HEAD = 'head';

/** Of what is kept, so that a part which was packed in another way is another part. */
export function getPartName(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** A body as it is kept: most of a part is never looked at, and all of it is read. */
export function packBody(body: Uint8Array): Uint8Array {
  return deflateRawSync(body, { level: 1 });
}

export function unpackBody(packed: Uint8Array): Uint8Array {
  return inflateRawSync(packed);
}

/** Saved states as rows of bytes, each with a checksum: one that is not what was written is not there. */
export function createSavedStates(
  context: StoreContext,
  {
    read,
    write,
  }: {
    readonly read: <T>(work: () => T) => Promise<T>;
    readonly write: <T>(work: () => T) => Promise<T>;
  },
): SavedStates {
  const find = (stream: string, name: string): Uint8Array | null => {
    const row = context.sql('SELECT body, sum FROM saved WHERE stream = ? AND name = ?').get(stream, name);
    const { body, sum } = (row ?? {}) as { body?: Uint8Array; sum?: number };
    return body && crc32(body) === sum ? body : null;
  };
  const put = (stream: string, name: string, body: Uint8Array) => {
    // Refuses where a newer Harness has been here, and where the records have moved.
    readMoment(context);
    context
      .sql('INSERT OR REPLACE INTO saved (stream, name, body, sum) VALUES (?, ?, ?, ?)')
      .run(stream, name, body, crc32(body));
  };
  return {
    savedGet: stream =>
      read(() => {
        const head = find(stream, HEAD);
        return head && unpackBody(head);
      }),
    savedPut: (stream, head, names) =>
      write(() => {
        const has = context.sql('SELECT 1 FROM saved WHERE stream = ? AND name = ?');
        if (names.some(name => has.get(stream, name) === undefined)) return false;
        context
          .sql('DELETE FROM saved WHERE stream = ? AND name NOT IN (SELECT value FROM json_each(?))')
          .run(stream, JSON.stringify(names));
        put(stream, HEAD, packBody(head));
        return true;
      }),
    partsGet: (stream, names) =>
      read(() => {
        const found = names.map(name => [name, find(stream, name)] as const);
        return new Map(found.flatMap(([name, body]) => (body ? [[name, () => unpackBody(body)]] : [])));
      }),
    partPut: async (stream, body) => {
      const packed = packBody(body);
      const name = getPartName(packed);
      if ((await read(() => find(stream, name))) === null) await write(() => put(stream, name, packed));
      return name;
    },
  };
}
