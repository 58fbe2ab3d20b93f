import { getIdBytes, type ObjectFormat } from './object-format.ts';

/** What is needed of an index without asking git: nested repositories and the directories with tracked files. */
export interface IndexFacts {
  /** Entries of mode 160000, as raw bytes. */
  readonly gitlinks: readonly Buffer[];
  /** Directories below the top that hold tracked files, as raw bytes. */
  readonly dirs: readonly Buffer[];
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const MODE_OFFSET = 24;
const GITLINK_MODE = 0o160000;
const EXTENDED_FLAG = 0x4000;
const SLASH = 0x2f;

/**
 * Reads an index file of version 2 or 3 (we write no other). It saves a process per use and gives
 * names as bytes. Anything unexpected is an error: the caller then rebuilds the index.
 */
export function getIndexFacts(file: Buffer, format: ObjectFormat): IndexFacts {
  const idBytes = getIdBytes(format);
  const version = file.length > HEADER_BYTES ? file.readUInt32BE(4) : 0;
  if (file.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) {
    throw new Error(`not an index this version can read (version ${version})`);
  }
  const gitlinks: Buffer[] = [];
  const dirs = new Map<string, Buffer>();
  let lastDir: Buffer | null = null;
  let offset = HEADER_BYTES;
  for (let left = file.readUInt32BE(8); left > 0; left--) {
    const flagsAt = offset + STAT_BYTES + idBytes;
    const nameAt = flagsAt + (file.readUInt16BE(flagsAt) & EXTENDED_FLAG ? 4 : 2);
    const end = file.indexOf(0, nameAt);
    if (end < 0) throw new Error('the index ends in the middle of an entry');
    const name = file.subarray(nameAt, end);
    if (file.readUInt32BE(offset + MODE_OFFSET) === GITLINK_MODE) gitlinks.push(name);
    const slash = name.lastIndexOf(SLASH);
    if (slash > 0 && !(lastDir?.length === slash && name.subarray(0, slash).equals(lastDir))) {
      lastDir = name.subarray(0, slash);
      addDirs(dirs, lastDir);
    }
    offset += Math.floor((end - offset + 8) / 8) * 8;
  }
  return { gitlinks, dirs: [...dirs.values()] };
}

function addDirs(dirs: Map<string, Buffer>, dir: Buffer): void {
  for (let end = dir.length; end > 0; end = dir.lastIndexOf(SLASH, end - 1)) {
    const part = dir.subarray(0, end);
    const key = part.toString('latin1');
    if (dirs.has(key)) return;
    dirs.set(key, part);
  }
}
