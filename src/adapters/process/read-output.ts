import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLineSplitter, type LineSplitter } from './line-splitter.ts';
import { createOutputCap, type OutputLimits } from './output-cap.ts';

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
