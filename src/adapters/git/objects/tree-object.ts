import { getIdBytes, type ObjectFormat } from '../repo/object-format.ts';

export interface TreeEntry {
  /** As git writes it in a tree: 100644, 100755, 120000, 160000, 40000. */
  readonly mode: string;
  readonly id: string;
}

/** Entries of one directory; names are bytes, kept as latin1 text. */
export type TreeEntries = Map<string, TreeEntry>;

/** Reads git's binary form of a directory. */
export function getTreeEntries(body: Buffer, format: ObjectFormat): TreeEntries {
  const idBytes = getIdBytes(format);
  const entries: TreeEntries = new Map();
  let offset = 0;
  while (offset < body.length) {
    const space = body.indexOf(0x20, offset);
    const end = body.indexOf(0, space);
    const mode = body.toString('latin1', offset, space);
    const name = body.toString('latin1', space + 1, end);
    entries.set(name, { mode, id: body.toString('hex', end + 1, end + 1 + idBytes) });
    offset = end + 1 + idBytes;
  }
  return entries;
}

/** Writes git's binary form of a directory, in the one order git accepts. */
export function getTreeBody(entries: TreeEntries): Buffer {
  const sorted = [...entries].map(([name, entry]) => ({
    name,
    entry,
    key: isDirectory(entry) ? `${name}/` : name,
  }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ name, entry }) => [
      Buffer.from(`${entry.mode} ${name}\0`, 'latin1'),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/** Whether an entry is a directory. */
export function isDirectory(entry: TreeEntry | undefined): entry is TreeEntry {
  return entry?.mode === '40000';
}
