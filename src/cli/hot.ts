import type { Io } from './io.ts';

/** Answers `status` or `next` from the index alone; false when that is not enough. */
export async function runHot(_name: 'status' | 'next', _args: readonly string[], _io: Io): Promise<boolean> {
  return false;
}
