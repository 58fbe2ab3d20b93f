import type { RequestView, Turn } from './script.ts';

/** One provider's protocol over HTTP and SSE; the server, the script and the faults know only this. */
export interface ModelApi {
  readonly path: string;
  read(body: unknown): RequestView;
  /** A whole answer as SSE frames, each ending in an empty line. */
  getFrames(turn: Turn, view: RequestView, id: string): readonly string[];
  /** The same answer as one document, for APIs whose agents ask for that. */
  getWhole?(turn: Turn, view: RequestView, id: string): unknown;
  /** The body of an error answer. */
  getErrorBody(status: number, message: string): unknown;
}

/** One SSE frame. */
export function getFrame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
