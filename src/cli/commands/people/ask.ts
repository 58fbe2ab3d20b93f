import { createInterface } from 'node:readline/promises';
import type { Io } from '../../terminal/io.ts';

/** Whether somebody is there to answer. */
export function canAsk(io: Io): boolean {
  return io.isTty && process.stdin.isTTY === true;
}

/** A question that takes yes for yes and everything else for no. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
