import type { AcpSdk } from '../../src/adapters/agents/acp/sdk.ts';
import { Chance } from '../sim/random.ts';
import { getBrokenBytes, getGoodLines, toBytes } from './acp-streams.ts';
import { playAcp } from './play-acp.ts';
import { playCodex, playCommand } from './play-others.ts';

export interface FuzzReport {
  readonly streams: number;
  /** Seeds with what went wrong, the first few. */
  readonly crashes: readonly string[];
  readonly claims: readonly string[];
  /** Whole conversations that were not taken as the claims they are: then the rest would prove nothing. */
  readonly missed: number;
}

/** Plays one malformed stream per seed, most of them over ACP, and every fiftieth time a whole one. */
export async function fuzzStreams(sdk: AcpSdk, from: number, count: number): Promise<FuzzReport> {
  const crashes: string[] = [];
  const claims: string[] = [];
  let missed = 0;
  for (let seed = from; seed < from + count; seed++) {
    const chance = new Chance(seed);
    try {
      const claim = await playOne(sdk, chance);
      if (claim) claims.push(`seed ${seed}: ${claim}`);
      if (seed % 50 === 0) missed += (await isTakenWhole(sdk, chance)) ? 0 : 1;
    } catch (error) {
      crashes.push(`seed ${seed}: ${(error as Error).stack}`);
    }
  }
  return { streams: count, crashes, claims, missed };
}

/** The name of the stream when it was taken for a claim. */
async function playOne(sdk: AcpSdk, chance: Chance): Promise<string | null> {
  const kind = chance.next();
  if (kind < 0.2) {
    playCommand(chance);
    return null;
  }
  if (kind < 0.35) return (await playCodex(chance)).outcome === 'claimed' ? 'codex' : null;
  const { name, parts } = getBrokenBytes(chance, MAX_LINE_BYTES);
  const { outcome } = await playAcp(sdk, parts, chance, MAX_LINE_BYTES);
  return outcome === 'claimed' ? name : null;
}

const MAX_LINE_BYTES = 16 * 1024;

async function isTakenWhole(sdk: AcpSdk, chance: Chance): Promise<boolean> {
  const { outcome } = await playAcp(sdk, toBytes(getGoodLines()), chance, MAX_LINE_BYTES);
  return outcome === 'claimed';
}
