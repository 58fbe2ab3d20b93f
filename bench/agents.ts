import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../demo/model-server/server.ts';
import { installSdks, SDKS_DIR } from '../scripts/install-sdks.js';
import { findPackage } from '../src/adapters/agents/shared/optional-package.ts';
import { PROVIDER_FACTS } from '../src/core/model/provider.ts';
import { openBareClaude, openWatchedClaude, type Took } from './agent-sessions.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureUntilSure, type Report, type Timing } from './result.ts';
import { runSetup, writeSampleRepo } from './sample-repo.ts';

const LIMIT = 1.05;
/** Tool calls of one session. */
const CALLS = 200;

/** What watching, steering and writing everything down adds to a session of the real Claude Agent SDK. */
export async function measureAgents(options: BenchOptions): Promise<Report> {
  const missing = findMissing();
  if (missing !== null) {
    options.say(`  skipped: ${missing}`);
    return { floors: [], results: [] };
  }
  const place = join(options.dir, 'agents');
  const repo = join(place, 'project');
  writeSampleRepo(repo, { tasks: 200, files: 200 });
  const home = join(place, 'home');
  mkdirSync(home);
  const server = await startModelServer();
  const before = { ...process.env };
  Object.assign(process.env, {
    HARNESS_AGENT_MODULES: SDKS_DIR,
    HARNESS_CACHE_DIR: join(place, 'cache'),
    HOME: home,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'sk-ant-scripted-0123456789abcdef',
  });
  const watched = await openWatchedClaude(repo, server, CALLS);
  try {
    await watched.run();
    const { dir, prompt } = watched.getPlayed();
    const twin = getTwin(place, dir);
    runSetup(place, 'clone', '-q', '--local', repo, twin);
    const bare = await openBareClaude(twin, server, CALLS, prompt);
    await bare.run();
    const measure = () => takeTurns(bare.run, watched.run, options.quick ? 2 : 7);
    const results = await measureUntilSure(measure, options.say);
    const bareMs = Math.round(results[0]?.floorMs ?? 0);
    return { floors: [{ name: `claude, ${CALLS} calls, bare`, value: bareMs, unit: 'ms' }], results };
  } finally {
    await watched.close();
    await server.close();
    process.env = before;
  }
}

/** A folder whose path is as long: it comes back in every request, many times over. */
function getTwin(place: string, dir: string): string {
  return join(place, 'twin'.padEnd(dir.length - place.length - 1, '-'));
}

function findMissing(): string | null {
  try {
    installSdks();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return findPackage(PROVIDER_FACTS.claude.sdk, SDKS_DIR) ? null : 'the Claude Agent SDK cannot be found';
}

/** In turns, each first every other time; processor time is the quieter of the two on a busy machine. */
async function takeTurns(
  bare: () => Promise<Took>,
  watched: () => Promise<Took>,
  rounds: number,
): Promise<Timing[]> {
  const [floor, ours]: [Took[], Took[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) floor.push(await bare());
    ours.push(await watched());
    if (round % 2 === 1) floor.push(await bare());
  }
  return (['wallMs', 'cpuMs'] as const).map(unit => ({
    name: `agent-${CALLS}-calls-${unit === 'wallMs' ? 'time' : 'cpu'}`,
    limit: LIMIT,
    oursMs: ours.map(took => took[unit]),
    floorMs: floor.map(took => took[unit]),
  }));
}
