import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAcpAgent } from '../../src/adapters/agents/acp/acp.ts';
import type { AcpSdk } from '../../src/adapters/agents/acp/sdk.ts';
import { createCommandAgent } from '../../src/adapters/agents/command/command.ts';
import { findPackage, loadPackage } from '../../src/adapters/agents/shared/optional-package.ts';
import type { Driver } from '../../src/adapters/agents/shared/provider.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { PROVIDER_FACTS } from '../../src/core/model/provider.ts';
import { fuzzStreams } from './fuzz.ts';
import { plainSdk } from './plain-sdk.ts';
import { runBadPrograms } from './real-streams.ts';

/** npm run fuzz:streams -- [--streams 10000] [--from 1]: malformed output of agents, in process and out of it. */
const { values } = parseArgs({
  options: { streams: { type: 'string', default: '10000' }, from: { type: 'string', default: '1' } },
});
const root = process.cwd();
process.env.HARNESS_AGENT_MODULES ??= join(root, 'test', 'agents');
let stray = 0;
process.on('unhandledRejection', () => stray++);
process.on('uncaughtException', () => stray++);
// The SDK writes to the console of what it cannot place.
console.error = () => undefined;

const wanted = PROVIDER_FACTS.acp.sdk;
const installed = findPackage(wanted, root);
const sdk = installed ? await loadPackage<AcpSdk>(wanted, root) : plainSdk;
say(
  installed
    ? `ACP SDK ${installed.version}`
    : 'ACP SDK not installed (npm run test:agents installs it): a stand-in plays it',
);

const startedMs = performance.now();
const report = await fuzzStreams(sdk, Number(values.from), Number(values.streams));
for (const line of [...report.crashes, ...report.claims].slice(0, 20)) say(line);
say(
  `${report.streams} malformed streams in ${Math.round(performance.now() - startedMs)} ms: ${report.crashes.length} crashes, ${report.claims.length} claims accepted, ${report.missed} good ones missed`,
);

const owner = { workerId: `w-streams${process.pid}`, random: createRandom() };
const makers: Record<string, (command: string) => Driver> = {
  command: command => createCommandAgent({ owner, command }),
  ...(installed ? { acp: (command: string) => createAcpAgent({ owner, projectRoot: root, command }) } : {}),
};
let claimed = 0;
for (const [provider, makeAgent] of Object.entries(makers)) {
  for (const { name, result } of await runBadPrograms(makeAgent)) {
    if (result.outcome === 'claimed') claimed++;
    say(`${provider}, ${name}: ${result.outcome} ${result.failure?.kind ?? ''}`);
  }
}
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
say(`real programs: ${claimed} claims accepted; ${stray} stray errors; at most ${peakMb} MB of memory`);
const isGood = report.crashes.length + report.claims.length + report.missed + claimed + stray === 0;
process.exitCode = isGood ? 0 : 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
