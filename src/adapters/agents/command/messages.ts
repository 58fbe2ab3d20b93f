import { appendFileSync, closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Delivery } from '../../../ports/index.ts';
import { makePipe } from '../../process/make-pipe.ts';

/** Where a program hears of what the harness has to say to it while it works. */
export interface Messages {
  /** Variables that name them. */
  readonly env: Readonly<Record<string, string>>;
  /** A line of JSON each: into the pipe for whoever reads it, and into the file in any case. */
  say(text: string): Delivery;
  close(): void;
}

/** Opens both in a folder that the program can read. */
export async function openMessages(dir: string): Promise<Messages> {
  const file = join(dir, 'messages.jsonl');
  const pipe = join(dir, 'messages.pipe');
  writeFileSync(file, '');
  const hasPipe = await makePipe(pipe);
  // Kept open once somebody reads: a reader that sees the end of the pipe would have to come back for more.
  let end: number | null = null;

  function write(line: string): boolean {
    try {
      end ??= openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      writeSync(end, line);
      return true;
    } catch {
      close();
      return false;
    }
  }

  function close(): void {
    if (end !== null) closeSync(end);
    end = null;
  }

  return {
    env: { HARNESS_MESSAGES: file, ...(hasPipe ? { HARNESS_MESSAGES_PIPE: pipe } : {}) },
    say(text) {
      const line = `${JSON.stringify({ at: new Date().toISOString(), text })}\n`;
      const isRead = hasPipe && (write(line) || write(line));
      try {
        appendFileSync(file, line);
      } catch {
        return isRead ? 'told' : 'unheard';
      }
      return isRead ? 'told' : 'left';
    },
    close,
  };
}
