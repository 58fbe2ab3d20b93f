import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { getWriteError, syncDir, writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { hasPid } from '../../adapters/process/proc.ts';

const DRAFT = /^harness-restore-(\d+)\.tmp$/;

/** How a file of somebody's checkout is replaced. */
export interface Replacing {
  /** Where the new text is written first: git's own folder, so that a write that is cut off leaves nothing in the checkout. */
  readonly draftDir: string;
  /** Rights of the new file, as the old one has them. */
  readonly mode: number;
}

/** Replaces a file as a whole: whoever looks, and whatever is killed, there is the old one or the new one. */
export function replaceFile(path: string, text: string, { draftDir, mode }: Replacing): void {
  removeStale(draftDir);
  const draft = join(draftDir, `harness-restore-${process.pid}.tmp`);
  try {
    writeDraft(draft, text);
    chmodSync(draft, mode);
    renameSync(draft, path);
    syncDir(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw getWriteError(error, path);
    // On another disk than git's folder it is written where it belongs.
    writeAtomic(path, text, { durable: true });
    chmodSync(path, mode);
  }
}

/** The file that a path leads to: a link stays one, and what it leads to is replaced. */
export function getLinked(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink()) return join(realpathSync(dirname(path)), basename(path));
  return getLinked(resolve(dirname(path), readlinkSync(path)));
}

/** The rights of a file; those of a new one where it is not there. */
export function getMode(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

function writeDraft(draft: string, text: string): void {
  const fd = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What somebody who was killed had begun. */
function removeStale(dir: string): void {
  for (const name of readdirSync(dir)) {
    const pid = DRAFT.exec(name)?.[1];
    if (pid !== undefined && !hasPid(Number(pid))) rmSync(join(dir, name), { force: true });
  }
}
