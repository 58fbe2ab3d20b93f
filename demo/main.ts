import { rmSync } from 'node:fs';
import { PROVIDERS } from '../src/adapters/agents/providers.ts';
import { checkSdk } from '../src/app/doctor/agents.ts';
import { listenForSignals } from '../src/cli/render/watch.ts';
import type { Io } from '../src/cli/terminal/io.ts';
import { createStyle, type Style } from '../src/cli/terminal/style.ts';
import { EXIT_CODES, HarnessError } from '../src/core/base/failure.ts';
import type { Cast } from './cast.ts';
import type { DemoResult } from './count.ts';
import { makeShop, type Shop } from './make-shop.ts';
import { ONE_AGENT } from './one-agent.ts';
import { type DemoRun, playRun } from './play-run.ts';
import type { DemoAgent } from './shop-files.ts';
import { getTable } from './table.ts';
import { type Stock, takeStock } from './take-stock.ts';

export interface DemoOptions {
  readonly json?: boolean;
  readonly keep?: boolean;
  readonly agent?: DemoAgent;
  /** So many agents at once. */
  readonly workers?: number;
}

/** `harness demo`: a night with agents that cannot be trusted, told as it happens, then checked from outside. */
export async function playDemo(io: Io, options: DemoOptions): Promise<void> {
  const { agent = 'scripted', workers } = options;
  refuseWithoutSdk(agent);
  if (workers === undefined) return playCast(io, options, ONE_AGENT);
  const { getBusyCast } = await import('./lanes/busy-cast.ts');
  return playCast(io, options, getBusyCast(workers, agent));
}

async function playCast<R extends DemoResult>(io: Io, options: DemoOptions, cast: Cast<R>): Promise<void> {
  const json = options.json ?? false;
  const say = (text: string): void => (json ? io.err(text) : io.out(text));
  const style = createStyle(json ? io.useColour : io.colourOut);
  const startedMs = performance.now();
  const stop = listenForSignals();
  const shop = await makeShop(options.agent ?? 'scripted', cast.night);
  // The rows are drawn on stderr: what is told beside them has to be on the same terminal.
  const isWatched = io.isTty && (json || process.stdout.isTTY);
  try {
    say(getOpening(shop, cast, style));
    const story = cast.openStory({ say, style, shop, isWatched });
    const played = await playRun({ shop, night: cast.night, listener: story, signal: stop.signal }).finally(
      story.close,
    );
    const stock = await takeStock(shop);
    const result = cast.getResult(stock, played);
    const isGood = cast.isGood(result, played);
    io.exit(isGood ? 0 : EXIT_CODES.unproven);
    say(getEnding(stock, [...getCommon(stock, played, result), ...cast.getMore(result)], style));
    say(`\n  ${Math.round((performance.now() - startedMs) / 1000)} s. ${getNextStep(isGood)}`);
    if (json) io.out(JSON.stringify(result));
  } finally {
    stop.dispose();
    await shop.close();
    if (options.keep) say(`  The project is kept: ${shop.project}`);
    else rmSync(shop.dir, { recursive: true, force: true });
  }
}

/** Said before anything is played: six tasks that nobody worked on would look like six that failed. */
function refuseWithoutSdk(agent: DemoAgent): void {
  if (agent === 'scripted') return;
  const { status, detail, fix } = checkSdk(PROVIDERS[agent], process.cwd(), process.env);
  if (status === 'fail') throw new HarnessError('config', detail, fix === undefined ? {} : { fix });
}

function getOpening(shop: Shop, { title, opening }: Pick<Cast, 'title' | 'opening'>, style: Style): string {
  return `
  ${style.bold(title)}

  ${opening}

  ${style.dim(shop.project)}`;
}

type Fact = readonly [isRight: boolean, text: string];

/** What is said of any night. */
function getCommon(stock: Stock, played: DemoRun, result: DemoResult): Fact[] {
  const { tasks, landed, claims, falseClaimsCaught, kills, lost, doubled, orphans } = result;
  const left =
    orphans === null
      ? 'processes left behind: cannot be seen on this system'
      : `${orphans} processes left behind`;
  return [
    [landed === tasks, `${landed} of ${tasks} tasks are on the branch, and all tests pass in a fresh clone`],
    [stock.testsUntouched, 'the approved tests are as they were, byte for byte'],
    [falseClaimsCaught >= 3, `${falseClaimsCaught} of ${claims} claims were false, and none of those landed`],
    [kills > 0 && played.exitCode === 0, `${kills} kill -9, and the next run went on by itself`],
    [lost + doubled + (orphans ?? 0) === 0, `${lost} lost, ${doubled} done twice, ${left}`],
  ];
}

function getEnding(stock: Stock, facts: readonly Fact[], style: Style): string {
  const lines = facts.map(([isRight, text]) => `  ${isRight ? style.good('✔') : style.bad('✘')} ${text}`);
  return `
  ${style.bold('In the morning')}

${getTable(stock, style)}

${lines.join('\n')}`;
}

function getNextStep(isGood: boolean): string {
  if (isGood) return 'Now on your own repository: cd there, then  harness init';
  return 'That is not as it should be: run it again with --keep, and look with  harness log';
}
