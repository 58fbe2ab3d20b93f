import type { Replay } from './replay-repository.ts';

/** What the replays add up to. */
export interface Summary {
  readonly played: number;
  readonly valid: number;
  readonly landed: number;
  /** Rejected or charged although everything was right. */
  readonly wrongBlame: number;
  readonly brokenLanded: number;
  readonly cases: readonly Replay[];
}

export function getSummary(replays: readonly Replay[]): Summary {
  const valid = replays.filter(({ own }) => own.isValid);
  const isBlamed = ({ played }: Replay): boolean =>
    played.end !== 'landed' && (played.end === 'rejected' || played.isCharged);
  return {
    played: replays.length,
    valid: valid.length,
    landed: valid.filter(({ played }) => played.end === 'landed').length,
    wrongBlame: valid.filter(isBlamed).length,
    brokenLanded: replays.flatMap(({ broken }) => broken).filter(({ isWrong }) => isWrong).length,
    cases: replays,
  };
}

/** Verdict ÷ suite of landed work; the first task of a clone pays for the measuring of its base. */
export function getBench(replays: readonly Replay[]) {
  const landed = replays.filter(({ played, own }) => played.end === 'landed' && own.suiteSeconds > 0);
  const getRatio = ({ played, own, isFirst }: Replay): number =>
    ((isFirst ? played.baselineSeconds : 0) + played.verdictSeconds) / own.suiteSeconds;
  const median = (some: readonly Replay[]): number | null => {
    const sorted = some.map(getRatio).sort((a, b) => a - b);
    const middle = sorted[Math.floor((sorted.length - 1) / 2)];
    return middle === undefined ? null : Math.round(middle * 100) / 100;
  };
  return {
    first: median(landed.filter(({ isFirst }) => isFirst)),
    later: median(landed.filter(({ isFirst }) => !isFirst)),
    ratios: landed.map(one => [one.repository, one.commit, Math.round(getRatio(one) * 100) / 100] as const),
  };
}
