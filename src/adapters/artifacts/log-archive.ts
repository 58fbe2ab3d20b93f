import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** A log that has been closed; the number in its name is the last event it knew of. */
export interface Archive {
  readonly path: string;
  readonly seq: number;
}

/** The closed files of a log, oldest first: `events.jsonl` becomes `events.120-1.jsonl`. */
export function readArchives(path: string): readonly Archive[] {
  const { stem, extension } = getParts(path);
  const found = readNames(dirname(path)).flatMap(name => {
    if (!name.startsWith(`${stem}.`) || !name.endsWith(extension)) return [];
    const numbers = /^(\d+)-(\d+)$/.exec(name.slice(stem.length + 1, -extension.length));
    return numbers
      ? [{ path: join(dirname(path), name), seq: Number(numbers[1]), at: Number(numbers[2]) }]
      : [];
  });
  return found.sort((a, b) => a.seq - b.seq || a.at - b.at);
}

/**
 * Closes a log: whoever appends to its path begins a new file. A rename, so that nothing is lost that
 * another process writes at that moment; it lands in the old file or in the new one.
 */
export function rotate(path: string, seq: number): void {
  const { stem, extension } = getParts(path);
  for (let at = 1; ; at++) {
    const target = join(dirname(path), `${stem}.${seq}-${at}${extension}`);
    if (existsSync(target)) continue;
    try {
      renameSync(path, target);
    } catch (error) {
      // Somebody else has just done it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return;
  }
}

function getParts(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}

function readNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
