import { PassThrough, Writable } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import { getAcpEnding } from '../../src/adapters/agents/acp/ending.ts';
import type { AcpSdk } from '../../src/adapters/agents/acp/sdk.ts';
import { startAcpTalk } from '../../src/adapters/agents/acp/talk.ts';
import { createAcpUpdates } from '../../src/adapters/agents/acp/updates.ts';
import type { Ending } from '../../src/adapters/agents/shared/ending.ts';
import type { SessionRequest } from '../../src/ports/index.ts';
import type { Chance } from '../sim/random.ts';

/** Plays what an agent writes, in pieces cut anywhere, each part after the question it belongs to. */
export async function playAcp(
  sdk: AcpSdk,
  parts: readonly Buffer[],
  chance: Chance,
  maxLineBytes: number,
): Promise<Ending> {
  const output = new PassThrough();
  let asked = 0;
  const input = new Writable({
    write: (chunk, _encoding, done) => {
      if (String(chunk).includes('"method"')) asked++;
      done();
    },
  });
  const updates = createAcpUpdates('/work', () => undefined);
  const line = {
    output,
    input,
    maxLineBytes,
    mark: {},
    isBoxed: false,
    isRepoTrusted: false,
    onSignOfLife: ignore,
    onTurn: ignore,
    updates,
  };
  const request = { cwd: '/work', prompt: 'Do it.' } as SessionRequest;
  const talk = startAcpTalk(sdk, line, request);
  let isOver = false;
  const settled = talk.taken.finally(() => {
    isOver = true;
  });
  for (const [index, part] of parts.entries()) {
    for (let tick = 0; tick < MAX_TICKS && asked <= index && !isOver; tick++) await nextTick();
    for (const piece of getPieces(part, chance)) output.write(piece);
    await nextTick();
  }
  output.end();
  const taken = await settled;
  updates.end(null);
  talk.close();
  return getAcpEnding({
    ...taken,
    request,
    problem: talk.problem(),
    end: null,
    isSilent: false,
    lastMessage: updates.lastMessage(),
    hasSpoken: updates.hasSpoken(),
    exit: 'It ended.',
    nowMs: 0,
  });
}

const MAX_TICKS = 20;

function ignore(): void {
  // Nobody wants to know.
}

function getPieces(part: Buffer, chance: Chance): Buffer[] {
  const pieces: Buffer[] = [];
  const most = chance.pick([1, 3, 17, 4_096]);
  for (let at = 0; at < part.length; ) {
    const size = 1 + chance.below(most);
    pieces.push(part.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
