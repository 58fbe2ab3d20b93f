import type { LooseObject } from '../shared/loose-json.ts';
import { createByteLines } from './byte-lines.ts';

/** One side of a connection: what an agent writes, as messages that are known to be in order. */
export interface AcpReader {
  push(chunk: Uint8Array): void;
  /** The agent's output is over. */
  end(): void;
  /** An id that we have sent a request with, so that an answer to it is no surprise. */
  expect(id: unknown): void;
}

export interface AcpListener {
  onMessage(message: LooseObject): void;
  /** Called once; nothing is heard after it. `problem` is null when the output just ended. */
  onEnd(problem: string | null): void;
}

/**
 * Reads JSON-RPC, one message a line, and trusts nothing: the first line that is not valid UTF-8, not
 * JSON, not a message, too long, cut off, or an answer to nothing ends it.
 */
export function createAcpReader(listener: AcpListener, maxLineBytes = MAX_LINE_BYTES): AcpReader {
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
function parseMessage(line: Buffer): LooseObject | string | null {
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

function isMessage(value: unknown): value is LooseObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const message = value as LooseObject;
  if (message.jsonrpc !== '2.0') return false;
  const hasId = typeof message.id === 'string' || typeof message.id === 'number';
  if ('method' in message) return typeof message.method === 'string' && (hasId || !('id' in message));
  if (!hasId || 'result' in message === 'error' in message) return false;
  return 'result' in message || isError(message.error);
}

function isError(value: unknown): boolean {
  const { code, message } = (value ?? {}) as LooseObject;
  return Number.isInteger(code) && typeof message === 'string';
}

/** Enough to recognise it by; binary shows as such. */
function getStart(line: Buffer): string {
  return JSON.stringify(line.subarray(0, 80).toString('utf8'));
}
