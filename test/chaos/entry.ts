/** The program that the chaos suite kills: `harness run --all --json` with a failpoint wherever it can die. */
import { join } from 'node:path';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import { useProcessTable } from '../../src/adapters/process/proc.ts';
import { run } from '../../src/cli/commands/work/run.ts';
import { createIo } from '../../src/cli/terminal/io.ts';
import { reportError } from '../../src/cli/terminal/report-error.ts';
import { breakGit, breakPorts, isBrokenChange, parseBreakage } from './breakages.ts';
import { commitByHand } from './by-hand.ts';
import { createFailpoints, parseOrder } from './failpoints.ts';
import { parseProcs } from './run-child.ts';
import { watchFs } from './watch-fs.ts';
import { watchGit } from './watch-git.ts';
import { watchPorts } from './watch-ports.ts';

const { CHAOS_KILL, CHAOS_RECORD = '', CHAOS_BREAK, CHAOS_SLOW_GIT = '', CHAOS_BY_HAND } = process.env;
const { HARNESS_CACHE_DIR: cache = '', CHAOS_FILLER: filler = '', CHAOS_PROCS } = process.env;
const points = createFailpoints(parseOrder(CHAOS_KILL), CHAOS_RECORD, {
  cache,
  filler,
  store: join(process.cwd(), '.harness', 'store.db'),
});
useProcessTable(parseProcs(CHAOS_PROCS));
const breakage = parseBreakage(CHAOS_BREAK);
const git = commitByHand(breakGit(runGit, breakage), CHAOS_BY_HAND);
const io = createIo(process);

watchFs(points, (call, path) => isBrokenChange(breakage, call, path));
await run(
  io,
  { all: true, json: true },
  {
    runGit: watchGit(git, points, CHAOS_SLOW_GIT),
    wrapPorts: ports => watchPorts(breakPorts(ports, breakage, points), points),
  },
).catch(error => reportError(io, error, true));
