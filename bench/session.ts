import { join } from 'node:path';
import { openRepo } from '../src/adapters/git/repo/repo.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureGitSpawn, openFloor } from './git-floor.ts';
import { type BenchResult, type Floor, measureUntilSure, type Report } from './result.ts';
import { runSessions } from './run-sessions.ts';
import { runSetup, writeSampleRepo } from './sample-repo.ts';

const PASS_LIMIT = 1.5;
const FAIL_LIMIT = 1.75;
const TASKS = 200;

/** One kind of session: what becomes of the agent's work, and where proven work goes. */
export interface Scenario {
  readonly name: string;
  readonly work: 'good' | 'bad';
  readonly land: 'base' | 'branch';
}

/** In this order: what lands beside the base branch keeps later work from landing on it. */
const SCENARIOS: readonly Scenario[] = [
  { name: 'session-pass', work: 'good', land: 'base' },
  { name: 'session-fail', work: 'bad', land: 'base' },
  { name: 'session-pass-on-branch', work: 'good', land: 'branch' },
];

/** All that one more session costs besides agent and tests, over the git commands that it cannot do without. */
export async function measureSessions(options: BenchOptions): Promise<Report> {
  const results: BenchResult[] = [];
  const floors: Floor[] = [{ name: 'git spawned from node', value: await measureGitSpawn(), unit: 'ms' }];
  for (const files of options.quick ? [1_000] : [1_000, 20_000]) {
    const place = join(options.dir, `session-${files}`);
    const [repo, twin] = [join(place, 'project'), join(place, 'twin')];
    writeSampleRepo(repo, { tasks: TASKS, files });
    runSetup(repo, 'repack', '-adq');
    runSetup(place, 'clone', '-q', '--local', repo, twin);
    process.env.HARNESS_CACHE_DIR = join(place, 'cache');
    const floor = openFloor(await openRepo(twin), join(place, 'floor'));
    for (const scenario of SCENARIOS) {
      const name = `${scenario.name}-${files}-files`;
      options.say(`  ${name}`);
      const count = options.quick ? 5 : files > 10_000 ? 9 : 15;
      const limit = scenario.work === 'good' ? PASS_LIMIT : FAIL_LIMIT;
      const measure = async () => {
        const times = await runSessions(repo, floor, scenario, { ...options, count });
        return [{ name, limit, ...times }];
      };
      results.push(...(await measureUntilSure(measure, options.say)));
    }
  }
  return { floors, results };
}
