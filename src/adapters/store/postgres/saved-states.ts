import { crc32 } from 'node:zlib';
import { getPartName, HEAD, packBody, type SavedStates, unpackBody } from '../saved-states.ts';
import type { Database } from './database.ts';
import { toText } from './texts.ts';

interface SavedContext {
  readonly db: Database;
  readonly project: number;
  readonly writer: number;
}

interface Row {
  readonly name: string;
  readonly body: Buffer;
  readonly sum: number;
}

/** As in SQLite: rows of bytes with checksums, and a part that is there is not sent again. */
export function createSavedStates({ db, project, writer }: SavedContext): SavedStates {
  const find = async (stream: string, names: readonly string[]): Promise<Map<string, () => Uint8Array>> => {
    const rows = await db.read<Row>(
      'SELECT name, body, sum FROM harness.saved WHERE project = $1 AND stream = $2 AND name = ANY($3)',
      [project, toText(stream), names],
    );
    return new Map(
      rows.flatMap(({ name, body, sum }) => (crc32(body) === sum ? [[name, () => unpackBody(body)]] : [])),
    );
  };
  return {
    savedGet: async stream => (await find(stream, [HEAD])).get(HEAD)?.() ?? null,
    savedPut: async (stream, body, parts) => {
      const head = packBody(body);
      const request = { project, writer, stream: toText(stream), parts, head: HEAD, sum: crc32(head) };
      const [row] = await db.call<{ answer: boolean }>(
        'SELECT harness.put_saved($1::jsonb, $2::bytea) AS answer',
        [JSON.stringify(request), Buffer.from(head)],
      );
      return row?.answer === true;
    },
    partsGet: find,
    partPut: async (stream, body) => {
      const packed = packBody(body);
      const name = getPartName(packed);
      const key = [project, toText(stream), name];
      const sum = crc32(packed);
      const [known] = await db.call<{ sum: number }>(
        'SELECT sum FROM harness.saved WHERE project = $1 AND stream = $2 AND name = $3',
        key,
      );
      if (known?.sum !== sum)
        await db.call(
          `INSERT INTO harness.saved (project, stream, name, body, sum) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (project, stream, name) DO UPDATE SET body = excluded.body, sum = excluded.sum`,
          [...key, Buffer.from(packed), sum],
        );
      return name;
    },
  };
}
