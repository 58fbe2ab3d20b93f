import { Campaign } from './campaign.ts';
import { getPlanText, type Plan, type RoundReport, runRound, type Workshop } from './run-round.ts';

export interface CampaignOptions {
  /** Goes on until every failpoint has been killed at, and at least so often in all. */
  readonly minKills: number;
  /** Instead: exactly so many rounds. */
  readonly rounds?: number;
  /** Stops after so many red rounds. */
  readonly maxRed?: number;
  readonly seed?: number;
  readonly jobs?: number;
  readonly onRound?: (report: RoundReport, total: CampaignResult) => void;
}

export interface CampaignResult {
  readonly kills: number;
  readonly lost: number;
  readonly doubled: number;
  readonly wedged: number;
  readonly failpoints: number;
  readonly open: readonly string[];
}

/** Runs rounds side by side until there is nothing left to kill. */
export async function runCampaign(shop: Workshop, options: CampaignOptions): Promise<CampaignResult> {
  const campaign = new Campaign(options.seed ?? 1);
  const total = { kills: 0, lost: 0, doubled: 0, wedged: 0, red: 0, rounds: 0 };
  const getResult = (): CampaignResult => {
    const { kills, lost, doubled, wedged } = total;
    return { kills, lost, doubled, wedged, failpoints: campaign.seen, open: campaign.open };
  };
  const isOver = (): boolean => {
    if (options.maxRed !== undefined && total.red >= options.maxRed) return true;
    if (options.rounds !== undefined) return total.rounds >= options.rounds;
    return total.kills >= options.minKills && campaign.open.length === 0;
  };
  const work = async (): Promise<void> => {
    while (!isOver()) {
      total.rounds++;
      const isShort = options.rounds === undefined && total.kills >= options.minKills;
      const report = await runRound(shop, campaign.next(isShort));
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
): Promise<Pick<CampaignResult, 'kills' | 'lost' | 'doubled' | 'wedged'>> {
  const total = { kills: 0, lost: 0, doubled: 0, wedged: 0, red: 0 };
  for (const plan of plans) {
    const report = await runRound(shop, plan);
    add(total, report);
    onRound(report);
  }
  const { red: _, ...result } = total;
  return result;
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

function add(
  total: { kills: number; lost: number; doubled: number; wedged: number; red: number },
  report: RoundReport,
): void {
  total.kills += report.killedAt.length;
  if (report.violations.length > 0) total.red++;
  for (const { kind } of report.violations) total[kind]++;
}
