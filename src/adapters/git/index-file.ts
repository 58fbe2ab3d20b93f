import { getIdBytes, type ObjectFormat } from './object-format.ts';

/** What an index tracks, without asking git. Names are bytes as latin1 text. */
export interface Tracked {
  /** Entries of mode 160000. */
  readonly gitlinks: readonly Buffer[];
  /** For each directory with tracked files, '' being the top: the names in it, directories too. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const MODE_OFFSET = 24;
const GITLINK_MODE = 0o160000;
const EXTENDED_FLAG = 0x4000;
const SLASH = 0x2f;

/** Everything that is tracked. */
export function getTracked(file: Buffer, format: ObjectFormat): Tracked {
  const gitlinks: Buffer[] = [];
  const names = new Map<string, Set<string>>([['', new Set()]]);
  let last: { dir: Buffer; names: Set<string> } | null = null;
  visitEntries(file, format, (name, mode) => {
    if (mode === GITLINK_MODE) gitlinks.push(name);
    const slash = name.lastIndexOf(SLASH);
    const dir = name.subarray(0, Math.max(0, slash));
    if (!last?.dir.equals(dir)) last = { dir, names: openDir(names, dir.toString('latin1')) };
    last.names.add(name.toString('latin1', slash + 1));
  });
  return { gitlinks, names };
}

/** Nested repositories alone, as raw bytes. */
export function getGitlinks(file: Buffer, format: ObjectFormat): Buffer[] {
  const gitlinks: Buffer[] = [];
  visitEntries(file, format, (name, mode) => {
    if (mode === GITLINK_MODE) gitlinks.push(name);
  });
  return gitlinks;
}

/**
 * Reads an index file of version 2 or 3 (we write no other). It saves a process per use and gives
 * names as bytes. Anything unexpected is an error: the caller then rebuilds the index.
 */
function visitEntries(file: Buffer, format: ObjectFormat, visit: (name: Buffer, mode: number) => void): void {
  const idBytes = getIdBytes(format);
  const version = file.length > HEADER_BYTES ? file.readUInt32BE(4) : 0;
  if (file.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) {
    throw new Error(`not an index this version can read (version ${version})`);
  }
  let offset = HEADER_BYTES;
  for (let left = file.readUInt32BE(8); left > 0; left--) {
    const flagsAt = offset + STAT_BYTES + idBytes;
    const nameAt = flagsAt + (file.readUInt16BE(flagsAt) & EXTENDED_FLAG ? 4 : 2);
    const end = file.indexOf(0, nameAt);
    if (end < 0) throw new Error('the index ends in the middle of an entry');
    visit(file.subarray(nameAt, end), file.readUInt32BE(offset + MODE_OFFSET));
    offset += Math.floor((end - offset + 8) / 8) * 8;
  }
}

function openDir(names: Map<string, Set<string>>, dir: string): Set<string> {
  const known = names.get(dir);
  if (known) return known;
  const made = new Set<string>();
  names.set(dir, made);
  const slash = dir.lastIndexOf('/');
  openDir(names, dir.slice(0, Math.max(0, slash))).add(dir.slice(slash + 1));
  return made;
}
