import type { Readable, Writable } from 'node:stream';
import { type Fields, isObject } from '../../../core/base/json.ts';
import type { AcpStream } from './sdk.ts';

export interface OpenStream extends AcpStream {
  /** Why the output of the agent could not be read any further; null as long as it can. */
  problem(): string | null;
}

export interface StreamPipes {
  readonly output: Readable;
  readonly input: Writable;
  /** A longer line is the end of it. */
  readonly maxLineBytes?: number;
  /** Any message, whatever it says. */
  onSignOfLife(): void;
}

/** Puts the checked reader between an agent's pipes and the SDK. */
export function openAcpStream({ output, input, maxLineBytes, onSignOfLife }: StreamPipes): OpenStream {
  let problem: string | null = null;
  let controller: ReadableStreamDefaultController<Fields> | null = null;
  const reader = createAcpReader(
    {
      onMessage: message => {
        onSignOfLife();
        controller?.enqueue(message);
      },
      onEnd: why => {
        problem = why;
        if (why === null) controller?.close();
        else controller?.error(new Error(why));
        controller = null;
      },
    },
    maxLineBytes,
  );
  output.on('data', (chunk: Buffer) => reader.push(chunk));
  output.once('close', () => reader.end());
  output.on('error', () => reader.end());
  return {
    problem: () => problem,
    readable: new ReadableStream<Fields>({
      start: given => {
        controller = given;
      },
      cancel: () => {
        controller = null;
      },
    }),
    writable: new WritableStream<Fields>({
      write: message => {
        if ('method' in message && 'id' in message) reader.expect(message.id);
        // A pipe that is broken is heard of as the end of the output.
        if (input.writable) input.write(`${JSON.stringify(message)}\n`);
      },
    }),
  };
}

/** One side of a connection: what an agent writes, as messages that are known to be in order. */
interface AcpReader {
  push(chunk: Uint8Array): void;
  /** The agent's output is over. */
  end(): void;
  /** An id that we have sent a request with, so that an answer to it is no surprise. */
  expect(id: unknown): void;
}

interface AcpListener {
  onMessage(message: Fields): void;
  /** Called once; nothing is heard after it. `problem` is null when the output just ended. */
  onEnd(problem: string | null): void;
}

/**
 * Reads JSON-RPC, one message a line, and trusts nothing: the first line that is not valid UTF-8, not
 * JSON, not a message, too long, cut off, or an answer to nothing ends it.
 */
function createAcpReader(listener: AcpListener, maxLineBytes = MAX_LINE_BYTES): AcpReader {
  const asked = new Set<unknown>();
  let isOver = false;

  function stop(problem: string | null): void {
    if (isOver) return;
    isOver = true;
    listener.onEnd(problem);
  }

  function read(line: Buffer): void {
    if (isOver) return;
    const message = parseMessage(line);
    if (message === null) return;
    if (typeof message === 'string') stop(message);
    else if ('method' in message || asked.delete(message.id)) listener.onMessage(message);
    else stop('The agent answered a question that nobody asked.');
  }

  const lines = createByteLines(maxLineBytes, read, () =>
    stop(`The agent wrote a line of more than ${Math.floor(maxLineBytes / 1024)} KB.`),
  );
  return {
    push: chunk => {
      if (!isOver) lines.push(chunk);
    },
    end: () => stop(lines.rest() > 0 ? 'The output of the agent broke off within a line.' : null),
    expect: id => asked.add(id),
  };
}

/** Files and pictures come in one line; more than this is no message. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The message, what is wrong with it, or null for an empty line. */
function parseMessage(line: Buffer): Fields | string | null {
  let value: unknown;
  try {
    const text = UTF8.decode(line);
    if (text.trim() === '') return null;
    value = JSON.parse(text);
  } catch {
    return `The agent wrote a line that is not JSON: ${getStart(line)}`;
  }
  return isMessage(value) ? value : `The agent wrote a line that is no message: ${getStart(line)}`;
}

function isMessage(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  const message: Fields = value;
  if (message.jsonrpc !== '2.0') return false;
  const hasId = typeof message.id === 'string' || typeof message.id === 'number';
  if ('method' in message) return typeof message.method === 'string' && (hasId || !('id' in message));
  if (!hasId || 'result' in message === 'error' in message) return false;
  return 'result' in message || isError(message.error);
}

function isError(value: unknown): boolean {
  const { code, message } = (value ?? {}) as Fields;
  return Number.isInteger(code) && typeof message === 'string';
}

/** Enough to recognise it by; binary shows as such. */
function getStart(line: Buffer): string {
  return JSON.stringify(line.subarray(0, 80).toString('utf8'));
}

/** Cuts a stream into lines of bounded length; calls back with whole lines only, and not for empty ones. */
interface ByteLines {
  push(chunk: Uint8Array): void;
  /** Bytes after the last newline: a line that never came to its end. */
  rest(): number;
}

/** Holds no more than one line, and tells as soon as that one is too long; then it hears nothing more. */
export function createByteLines(
  maxLineBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): ByteLines {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let isDeaf = false;

  function keep(piece: Uint8Array): void {
    size += piece.length;
    if (size > maxLineBytes) {
      isDeaf = true;
      pieces = [];
      onTooLong();
    } else if (piece.length > 0) pieces.push(piece);
  }

  function flush(): void {
    const line = Buffer.concat(pieces);
    pieces = [];
    size = 0;
    onLine(line);
  }

  return {
    push: chunk => {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0 && !isDeaf; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        if (!isDeaf && size > 0) flush();
        from = at + 1;
      }
      if (!isDeaf) keep(chunk.subarray(from));
    },
    rest: () => size,
  };
}

const NEWLINE = 10;
