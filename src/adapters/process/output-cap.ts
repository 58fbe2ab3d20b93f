import { StringDecoder } from 'node:string_decoder';

export interface OutputLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

export interface OutputCap {
  push(chunk: Buffer): void;
  /** The text so far: all of it, or head, a line that says how much is missing, and tail. */
  text(): string;
  droppedBytes(): number;
}

/** Keeps the beginning and the end of an output of any length in bounded memory. */
export function createOutputCap(limits: OutputLimits): OutputCap {
  const head: Buffer[] = [];
  let headSize = 0;
  let tail: Buffer[] = [];
  let tailSize = 0;
  let dropped = 0;

  function push(chunk: Buffer): void {
    const toHead = chunk.subarray(0, limits.headBytes - headSize);
    if (toHead.length > 0) {
      head.push(toHead);
      headSize += toHead.length;
    }
    const rest = chunk.subarray(toHead.length);
    if (rest.length === 0) return;
    tail.push(rest);
    tailSize += rest.length;
    if (tailSize > 2 * limits.tailBytes || tail.length > MAX_PIECES) trim();
  }

  function trim(): void {
    const joined = Buffer.concat(tail);
    // A copy, since a slice would keep the whole piece alive.
    const kept = Buffer.from(joined.subarray(Math.max(0, joined.length - limits.tailBytes)));
    dropped += joined.length - kept.length;
    tail = [kept];
    tailSize = kept.length;
  }

  function text(): string {
    trim();
    if (dropped === 0) return Buffer.concat([...head, ...tail]).toString('utf8');
    const note = `\n[… ${dropped} bytes left out …]\n`;
    const end = Buffer.concat(tail);
    return (
      new StringDecoder('utf8').write(Buffer.concat(head)) + note + end.toString('utf8', getCharStart(end))
    );
  }

  return {
    push,
    text,
    droppedBytes: () => dropped + Math.max(0, tailSize - limits.tailBytes),
  };
}

/** Many tiny writes would cost more in objects than in bytes. */
const MAX_PIECES = 1024;

/** The first byte that is not the middle of a character which began before the cut. */
function getCharStart(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0b1100_0000) === 0b1000_0000) at++;
  return at;
}
