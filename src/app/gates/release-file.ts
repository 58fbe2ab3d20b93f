import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';

const NAME = 'RELEASE_READY';

/** What lies in the state directory while what is at the tip can be released. */
interface ReleaseFile {
  readonly at: string;
  readonly specPath: string;
  readonly reportPath: string;
  readonly commit: string;
  readonly tree: string;
  readonly proofs: readonly string[];
}

/** Says so for whoever waits for it; said before of the same commit, it stays as it was. */
export function writeReleaseFile(stateDir: string, file: Omit<ReleaseFile, 'at'>): void {
  if (readReleasedCommit(stateDir) === file.commit) return;
  const text = `${JSON.stringify({ at: new Date().toISOString(), ...file }, null, 2)}\n`;
  writeAtomic(join(stateDir, NAME), text, { durable: true });
}

/** The commit that the file names; an empty text where it is damaged, null where there is none. */
export function readReleasedCommit(stateDir: string): string | null {
  let text: string;
  try {
    text = readFileSync(join(stateDir, NAME), 'utf8');
  } catch {
    return null;
  }
  try {
    return String((JSON.parse(text) as Partial<ReleaseFile>).commit ?? '');
  } catch {
    return '';
  }
}

/** Takes it back. */
export function removeReleaseFile(stateDir: string): void {
  rmSync(join(stateDir, NAME), { force: true });
}
