import type { ServerResponse } from 'node:http';
import type { ModelApi } from './api.ts';
import type { Fault, StreamFault } from './script.ts';

/** Too many requests; `resetAtMs` is said in every header that one of the providers uses. */
export function getRateLimit(retryAfterSeconds: number, resetAtMs?: number): Fault {
  const headers: Record<string, string> = { 'retry-after': String(retryAfterSeconds) };
  if (resetAtMs !== undefined) {
    const resetSeconds = String(Math.floor(resetAtMs / 1_000));
    headers['anthropic-ratelimit-unified-status'] = 'rejected';
    headers['anthropic-ratelimit-unified-reset'] = resetSeconds;
    headers['anthropic-ratelimit-requests-reset'] = new Date(resetAtMs).toISOString();
    headers['x-ratelimit-reset-requests'] = `${retryAfterSeconds}s`;
  }
  return { kind: 'status', status: 429, message: 'Too many requests, slow down.', headers };
}

/** 529 is how Anthropic says it, 503 how OpenAI does. */
export function getOverloaded(status: 503 | 529 = 529): Fault {
  return { kind: 'status', status, message: 'Overloaded' };
}

export const UNAUTHORIZED: Fault = { kind: 'status', status: 401, message: 'invalid x-api-key' };

/** Fails the way the fault says; `frames` is the answer that would have been. */
export function playFault(fault: Fault, api: ModelApi, frames: readonly string[], res: ServerResponse): void {
  if (fault.kind === 'status') {
    res.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    res.end(JSON.stringify(api.getErrorBody(fault.status, fault.message)));
    return;
  }
  // The server's close ends what hangs.
  if (fault.kind === 'hang_before_headers') return;
  if (fault.kind === 'reset_before_headers') {
    res.socket?.resetAndDestroy();
    return;
  }
  startStream(res);
  res.write(frames.slice(0, Math.ceil(frames.length / 2)).join(''), () => breakStream(fault.kind, res));
}

/** The headers of every streamed answer. */
export function startStream(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function breakStream(kind: StreamFault, res: ServerResponse): void {
  // Data that is still under way when a connection is reset never arrives: let it arrive first.
  if (kind === 'reset_mid_stream') setTimeout(() => res.socket?.resetAndDestroy(), 50);
  if (kind === 'eof_mid_stream') res.end();
  if (kind === 'malformed') res.end('event: content_block_delta\ndata: {"type":"content_block_del\n\n');
}
