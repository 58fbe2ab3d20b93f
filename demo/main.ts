import { rmSync } from 'node:fs';
import { PROVIDERS } from '../src/adapters/agents/providers.ts';
import { checkSdk } from '../src/app/doctor/agents.ts';
import { listenForSignals } from '../src/cli/render/watch.ts';
import type { Io } from '../src/cli/terminal/io.ts';
import { createStyle, type Style } from '../src/cli/terminal/style.ts';
import { EXIT_CODES, HarnessError } from '../src/core/base/failure.ts';
import { type DemoResult, getDemoResult, isAsItShouldBe } from './count.ts';
import { makeShop, type Shop } from './make-shop.ts';
import { type DemoRun, playRun } from './play-run.ts';
import type { DemoAgent } from './shop-files.ts';
import { createStory } from './story.ts';
import { getTable } from './table.ts';
import { type Stock, takeStock } from './take-stock.ts';

export interface DemoOptions {
  readonly json?: boolean;
  readonly keep?: boolean;
  readonly agent?: DemoAgent;
}

/** `harness demo`: a night with an agent that cannot be trusted, told as it happens, then checked from outside. */
export async function playDemo(io: Io, options: DemoOptions): Promise<void> {
  const json = options.json ?? false;
  const say = (text: string): void => (json ? io.err(text) : io.out(text));
  const style = createStyle(json ? io.useColour : io.colourOut);
  refuseWithoutSdk(options.agent ?? 'scripted');
  const startedMs = performance.now();
  const stop = listenForSignals();
  const shop = await makeShop(options.agent ?? 'scripted');
  try {
    say(getOpening(shop, style));
    const played = await playRun(shop, createStory(say, style), stop.signal);
    const stock = await takeStock(shop);
    const result = getDemoResult(stock, played);
    const isGood = isAsItShouldBe(result, played);
    io.exit(isGood ? 0 : EXIT_CODES.unproven);
    say(getEnding(stock, played, result, style));
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

function getOpening(shop: Shop, style: Style): string {
  return `
  ${style.bold('One night in a small shop')}

  A shopping cart with six tasks to do, each with a test that a person has approved and that fails.
  The agent costs nothing and cannot be trusted. The harness lands only what it has proven itself,
  and somewhere on the way it will be killed with -9.

  ${style.dim(shop.project)}`;
}

function getEnding(stock: Stock, played: DemoRun, result: DemoResult, style: Style): string {
  const { tasks, landed, claims, falseClaimsCaught, kills, lost, doubled, orphans } = result;
  const mark = (isRight: boolean): string => (isRight ? style.good('✔') : style.bad('✘'));
  const caught = `${falseClaimsCaught} of ${claims} claims were false, and none of those landed`;
  return `
  ${style.bold('In the morning')}

${getTable(stock, style)}

  ${mark(landed === tasks)} ${landed} of ${tasks} tasks are on the branch, and all tests pass in a fresh clone
  ${mark(stock.testsUntouched)} the approved tests are as they were, byte for byte
  ${mark(falseClaimsCaught >= 3)} ${caught}
  ${mark(kills > 0 && played.exitCode === 0)} ${kills} kill -9, and the next run went on by itself
  ${mark(lost + doubled + (orphans ?? 0) === 0)} ${lost} lost, ${doubled} done twice, ${orphans === null ? 'processes left behind: cannot be seen on this system' : `${orphans} processes left behind`}`;
}

function getNextStep(isGood: boolean): string {
  if (isGood) return 'Now on your own repository: cd there, then  harness init';
  return 'That is not as it should be: run it again with --keep, and look with  harness log';
}
