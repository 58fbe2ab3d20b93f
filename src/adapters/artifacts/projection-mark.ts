import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from './write-atomic.ts';

/** Which files show all that had happened up to an event, as a worker left them at its end. */
export interface ProjectionMark {
  readonly seq: number;
  /** What else they show: the version that wrote them, and its settings. */
  readonly made: string;
  /** Size and time of each file: one that is another now was written by somebody else, or cut off. */
  readonly stamps: Readonly<Record<string, string>>;
}

export const PROJECTION_MARK = '.projected.json';

/** Null where nobody left one, or left it for other settings. */
export function readProjectionMark(stateDir: string, made: string): ProjectionMark | null {
  try {
    const mark = JSON.parse(readFileSync(join(stateDir, PROJECTION_MARK), 'utf8')) as ProjectionMark;
    return mark.made === made ? mark : null;
  } catch {
    return null;
  }
}

export function writeProjectionMark(
  stateDir: string,
  files: readonly string[],
  mark: Omit<ProjectionMark, 'stamps'>,
): void {
  const stamps = Object.fromEntries(files.map(file => [file, readStamp(stateDir, file)]));
  writeAtomic(join(stateDir, PROJECTION_MARK), `${JSON.stringify({ ...mark, stamps })}\n`, {
    durable: false,
  });
}

/** Whether a file is the one that was left. */
export function isAsLeft(stateDir: string, file: string, { stamps }: ProjectionMark): boolean {
  return stamps[file] === readStamp(stateDir, file);
}

function readStamp(stateDir: string, file: string): string {
  const stat = statSync(join(stateDir, file), { throwIfNoEntry: false });
  return stat ? `${stat.size}:${stat.mtimeMs}` : 'none';
}
