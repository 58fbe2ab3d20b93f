import { appendFileSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { buildProgram } from './build-program.ts';
import type { Outcome } from './play-change.ts';
import { runChanges } from './run-changes.ts';
import { getSummary } from './summary.ts';

const HELP = `npm run honest -- --repos <folder>   random honest changes to real repositories, judged by the built command
  --repos <folder>    holds git repositories, bare or not; they are cloned and never written to
  --only <text>       those whose name holds the text
  --changes 300       how many in all; repositories take turns by the time they need
  --seed 1            the same seed makes the same changes
  --jobs 2            how many at a time, each in another repository
  --log <file>        adds a line of JSON for each change
  --json              the last line of stdout is the result alone
  --keep              leaves the clones
A signal ends it after the changes under way; the result tells of what was judged.`;

/** Inside the repository, so that its packages are found. */
const DIST = join(process.cwd(), 'node_modules', '.cache', 'harness', `honest-${process.pid}`);

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    only: { type: 'string', multiple: true },
    changes: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    log: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || values.repos === undefined) console.log(HELP);
else {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'honest-')));
  try {
    process.exitCode = (await judge(resolve(values.repos), root)) ? 0 : EXIT_CODES.unproven;
  } finally {
    rmSync(DIST, { recursive: true, force: true });
    if (values.keep) console.error(`The clones are in ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function judge(folder: string, root: string): Promise<boolean> {
  const names = values.only ?? [''];
  const sources = findRepositories(folder).filter(([name]) => names.some(text => name.includes(text)));
  const { changes, seed, jobs, keep } = values;
  const program = await buildProgram(DIST);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
  const plan = {
    signal: stop.signal,
    sources,
    root,
    program,
    seed,
    keep,
    changes: Number(changes),
    jobs: Number(jobs),
  };
  const result = getSummary(await runChanges(plan, tell));
  const { landed, repositories, byName } = result;
  const text = `${landed} of ${result.changes} honest changes to ${repositories} repositories landed, ${byName} were refused for a name`;
  console.log(values.json ? JSON.stringify(result) : text);
  return byName === 0 && result.changes > 0;
}

/** By name: the folder's own entries, or a `repo` inside of them. */
function findRepositories(folder: string): readonly (readonly [name: string, source: string])[] {
  const isRepository = (path: string): boolean =>
    existsSync(join(path, '.git')) || existsSync(join(path, 'HEAD'));
  return readdirSync(folder).flatMap(name => {
    const source = [join(folder, name), join(folder, name, 'repo')].find(isRepository);
    return source === undefined ? [] : [[name, source] as const];
  });
}

function tell(outcome: Outcome, number: number): void {
  const { repository, kind, end, check, reason, seconds, what } = outcome;
  const why = reason === '' ? '' : ` ${check ?? 'review'}: ${reason}`.replaceAll('\n', ' ');
  console.error(
    `${number} ${end === 'landed' ? '✔' : '✘'} ${repository} ${kind} (${seconds} s) ${what.replaceAll('\n', ' ')}${why}`,
  );
  if (values.log) appendFileSync(values.log, `${JSON.stringify(outcome)}\n`);
}
