/** The program that the chaos suite kills: `harness run --all --json` with a failpoint wherever it can die. */
import { join } from 'node:path';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import { useProcessTable } from '../../src/adapters/process/proc.ts';
import { openProject } from '../../src/app/project/open-project.ts';
import { runTasks } from '../../src/app/run/run-tasks.ts';
import { getRunExitCode } from '../../src/cli/render/run-end.ts';
import { createReporter, listenForSignals } from '../../src/cli/render/watch.ts';
import { createIo } from '../../src/cli/terminal/io.ts';
import { reportError } from '../../src/cli/terminal/report-error.ts';
import { breakGit, breakPorts, breakStatement, isBrokenChange, parseBreakage } from './breakages.ts';
import { commitByHand } from './by-hand.ts';
import { createFailpoints, parseOrder } from './failpoints.ts';
import { parseProcs } from './run-child.ts';
import { watchFs } from './watch-fs.ts';
import { watchGit } from './watch-git.ts';
import { watchPorts } from './watch-ports.ts';
import { watchPostgres } from './watch-postgres.ts';

const { CHAOS_KILL, CHAOS_RECORD = '', CHAOS_BREAK, CHAOS_SLOW_GIT = '', CHAOS_BY_HAND } = process.env;
const { HARNESS_CACHE_DIR: cache = '', CHAOS_FILLER: filler = '', CHAOS_PROCS } = process.env;
const points = createFailpoints(parseOrder(CHAOS_KILL), CHAOS_RECORD, {
  cache,
  filler,
  store: join(process.cwd(), '.harness', 'store.db'),
});
useProcessTable(parseProcs(CHAOS_PROCS));
const breakage = parseBreakage(CHAOS_BREAK);
const usedGit = commitByHand(breakGit(runGit, breakage), CHAOS_BY_HAND);
const io = createIo(process);

watchFs(points, (call, path) => isBrokenChange(breakage, call, path));
if (process.env.HARNESS_STORE_URL) await watchPostgres(points, breakStatement(breakage));
await runAll().catch(error => reportError(io, error, true));

async function runAll(): Promise<void> {
  const git = watchGit(usedGit, points, CHAOS_SLOW_GIT);
  const project = await openProject({ cwd: io.cwd, env: io.env, runGit: git });
  const reporter = createReporter(io, true);
  const stop = listenForSignals(reporter.running);
  try {
    const watch = { reporter, signal: stop.signal };
    const result = await runTasks(
      project,
      { all: true, ...watch },
      {
        runGit: git,
        wrapPorts: ports => watchPorts(breakPorts(ports, breakage, points), points),
      },
    );
    io.exit(getRunExitCode(result));
    io.out(JSON.stringify(result));
  } finally {
    reporter.close();
    stop.dispose();
    await project.close();
  }
}
