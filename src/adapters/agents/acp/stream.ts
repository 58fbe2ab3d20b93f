import type { Readable, Writable } from 'node:stream';
import type { LooseObject } from '../shared/loose-json.ts';
import type { AcpStream } from './sdk.ts';
import { createAcpReader } from './wire.ts';

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
  onHeard(): void;
}

/** Puts the checked reader between an agent's pipes and the SDK. */
export function openAcpStream({ output, input, maxLineBytes, onHeard }: StreamPipes): OpenStream {
  let problem: string | null = null;
  let controller: ReadableStreamDefaultController<LooseObject> | null = null;
  const reader = createAcpReader(
    {
      onMessage: message => {
        onHeard();
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
    readable: new ReadableStream<LooseObject>({
      start: given => {
        controller = given;
      },
      cancel: () => {
        controller = null;
      },
    }),
    writable: new WritableStream<LooseObject>({
      write: message => {
        if ('method' in message && 'id' in message) reader.expect(message.id);
        // A pipe that is broken is heard of as the end of the output.
        if (input.writable) input.write(`${JSON.stringify(message)}\n`);
      },
    }),
  };
}
