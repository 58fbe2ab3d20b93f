import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';

export type { OutputLimits };

export interface OutputTexts {
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  readonly droppedBytes: number;
}

export interface OutputOptions {
  readonly limits?: OutputLimits;
  readonly onStdoutLine?: (line: string) => void;
  readonly onStderrLine?: (line: string) => void;
}

/** Reads both pipes of a child to their end; `onBroken` is called once when a line callback throws. */
export function readOutput(
  child: ChildProcess,
  options: OutputOptions,
  onBroken: () => void,
): { finish(): Promise<OutputTexts> } {
  const limits = options.limits ?? DEFAULT_LIMITS;
  const both = createOutputCap(limits);
  const caps = { stdout: createOutputCap(limits), stderr: createOutputCap(limits) };
  const splitters: LineSplitter[] = [];
  let broken: { readonly error: unknown } | null = null;

  function guard(onLine: (line: string) => void): (line: string) => void {
    return line => {
      if (broken) return;
      try {
        onLine(line);
      } catch (error) {
        broken = { error };
        onBroken();
      }
    };
  }

  function read(name: 'stdout' | 'stderr', onLine: ((line: string) => void) | undefined): void {
    const splitter = onLine ? createLineSplitter(MAX_LINE_CHARS, guard(onLine)) : null;
    if (splitter) splitters.push(splitter);
    child[name]?.on('data', (chunk: Buffer) => {
      both.push(chunk);
      caps[name].push(chunk);
      splitter?.push(chunk);
    });
    child[name]?.on('error', () => undefined);
  }

  read('stdout', options.onStdoutLine);
  read('stderr', options.onStderrLine);
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));

  async function finish(): Promise<OutputTexts> {
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (const splitter of splitters) splitter.end();
    if (broken) throw broken.error;
    const texts = { stdout: caps.stdout.text(), stderr: caps.stderr.text(), output: both.text() };
    return { ...texts, droppedBytes: both.droppedBytes() };
  }

  return { finish };
}

const DEFAULT_LIMITS: OutputLimits = { headBytes: 64 * 1024, tailBytes: 1024 * 1024 };

const MAX_LINE_CHARS = 64 * 1024;

/** Once everything has been ended the pipes close by themselves, unless a stranger was given them. */
const DRAIN_MS = 2_000;

interface OutputLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

interface OutputCap {
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

interface LineSplitter {
  push(chunk: Buffer): void;
  /** Hands over what came after the last newline. */
  end(): void;
}

/** Turns chunks cut anywhere, also inside a character, into lines of bounded length. */
export function createLineSplitter(maxLineChars: number, onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isCut = false;

  function add(text: string): void {
    const room = maxLineChars - line.length;
    if (text.length > room) isCut = true;
    line += text.slice(0, Math.max(0, room));
  }

  function flush(): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    const whole = isCut ? `${text}…` : text;
    isCut = false;
    onLine(whole);
  }

  function split(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      add(text.slice(from, at));
      flush();
      from = at + 1;
    }
    add(text.slice(from));
  }

  return {
    push: chunk => split(decoder.write(chunk)),
    end: () => {
      split(decoder.end());
      if (line !== '' || isCut) flush();
    },
  };
}
