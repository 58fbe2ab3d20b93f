import { Campaign } from './campaign.ts';
import { HARMS, type Harm } from './failpoints.ts';
import { KINDS, type Violation } from './judge.ts';
import { getPlanText, type Plan, type RoundReport, runRound, type Workshop } from './run-round.ts';
import type { Scene } from './scenes.ts';

/** What happened, and what it cost. */
export type Toll = Readonly<Record<Exclude<Harm, 'kill'> | 'kills' | Violation['kind'], number>>;

export interface CampaignOptions {
  /** Goes on until every failpoint has been killed at, and at least so often in all. */
  readonly minKills: number;
  /** Instead: exactly so many rounds. */
  readonly rounds?: number;
  /** Besides kills: how often each other thing happens, at failpoints that the kills have found. */
  readonly harms?: Readonly<Partial<Record<Exclude<Harm, 'kill'>, number>>>;
  /** Stops after so many red rounds. */
  readonly maxRed?: number;
  readonly seed?: number;
  /** All of them, if nothing is said. */
  readonly scenes?: readonly Scene[];
  readonly jobs?: number;
  readonly onRound?: (report: RoundReport, total: CampaignResult) => void;
}

export interface CampaignResult extends Toll {
  readonly failpoints: number;
  readonly open: readonly string[];
}

/** Runs rounds side by side until there is nothing left to kill. */
export async function runCampaign(shop: Workshop, options: CampaignOptions): Promise<CampaignResult> {
  const campaign = new Campaign(options.seed ?? 1, options.scenes);
  const total = { toll: getNoToll(), red: 0, rounds: 0 };
  const getResult = (): CampaignResult => ({
    ...total.toll,
    failpoints: campaign.seen,
    open: campaign.open,
  });
  const begun: Partial<Record<Harm, number>> = {};
  /** The next plan; kills first, since they find the way to every failpoint. */
  const getPlan = (): Plan | null => {
    if (!isOver()) {
      total.rounds++;
      const isShort = options.rounds === undefined && total.toll.kills >= options.minKills;
      return campaign.next(isShort);
    }
    if (options.maxRed !== undefined && total.red >= options.maxRed) return null;
    for (const [harm, times] of Object.entries(options.harms ?? {}) as [Exclude<Harm, 'kill'>, number][]) {
      const planned = Math.max(begun[harm] ?? 0, total.toll[harm]);
      if (total.toll[harm] >= times || planned >= 2 * times) continue;
      begun[harm] = (begun[harm] ?? 0) + 1;
      const plan = campaign.nextHarm(harm);
      if (plan !== null) return plan;
    }
    return null;
  };
  const isOver = (): boolean => {
    if (options.maxRed !== undefined && total.red >= options.maxRed) return true;
    if (options.rounds !== undefined) return total.rounds >= options.rounds;
    return total.toll.kills >= options.minKills && campaign.open.length === 0;
  };
  const work = async (): Promise<void> => {
    for (let plan = getPlan(); plan !== null; plan = getPlan()) {
      const report = await runRound(shop, plan);
      campaign.note(report);
      add(total, report);
      options.onRound?.(report, getResult());
    }
  };
  await Promise.all(Array.from({ length: options.jobs ?? 2 }, work));
  return getResult();
}

/** Runs given plans one after the other. */
export async function runPlans(
  shop: Workshop,
  plans: readonly Plan[],
  onRound: (report: RoundReport) => void = () => undefined,
): Promise<Toll> {
  const total = { toll: getNoToll(), red: 0 };
  for (const plan of plans) {
    const report = await runRound(shop, plan);
    add(total, report);
    onRound(report);
  }
  return total.toll;
}

/** What a person needs to look into a red round. */
export function getRedText({ plan, violations, keptDir }: RoundReport): string {
  const lines = violations.slice(0, 6).map(({ kind, text }) => `  ${kind}: ${text}`);
  const kept = keptDir === null ? [] : [`  kept: ${keptDir}`];
  return [
    `red: ${violations.length} in one round`,
    ...lines,
    ...kept,
    `  again: npm run chaos -- --replay '${getPlanText(plan)}'`,
  ].join('\n');
}

type Counts = { -readonly [K in keyof Toll]: number };

function getNoToll(): Counts {
  const keys = ['kills', ...HARMS.filter(harm => harm !== 'kill'), ...KINDS] as const;
  return Object.fromEntries(keys.map(key => [key, 0])) as Counts;
}

function add(total: { readonly toll: Counts; red: number }, report: RoundReport): void {
  for (const [harm, times] of Object.entries(report.harms) as [Harm, number][])
    total.toll[harm === 'kill' ? 'kills' : harm] += times;
  if (report.violations.length > 0) total.red++;
  for (const { kind } of report.violations) total.toll[kind]++;
}
