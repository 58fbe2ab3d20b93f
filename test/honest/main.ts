import { appendFileSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckName } from '../../src/core/check.ts';
import { EXIT_CODES } from '../../src/core/failure.ts';
import { type Outcome, playChange } from './play-change.ts';
import { openProject, type Project, readTree } from './project.ts';
import type { Ways } from './tree.ts';
import { getWays } from './ways.ts';

const HELP = `npm run honest -- --repos <folder>   random honest changes to real repositories, judged by the built command
  --repos <folder>    holds git repositories, bare or not; they are cloned and never written to
  --only <text>       those whose name holds the text
  --changes 300       how many in all; slow suites get fewer
  --seed 1            the same seed makes the same changes
  --jobs 2            how many repositories at a time
  --log <file>        adds a line of JSON for each change
  --json              the last line of stdout is the result alone
  --keep              leaves the clones`;

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

/** Checks that look at names, words and roles; what the others find is about behaviour. */
const BY_NAME: readonly (CheckName | null)[] = [
  'claim',
  'protected',
  'diff',
  'test-aware',
  'observed',
  'surface',
];

interface Opened {
  readonly project: Project;
  readonly ways: Ways;
  readonly suiteMs: number;
}

if (values.help || values.repos === undefined) console.log(HELP);
else {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'honest-')));
  try {
    process.exitCode = (await judge(resolve(values.repos), root)) ? 0 : EXIT_CODES.unproven;
  } finally {
    if (values.keep) console.error(`The clones are in ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function judge(folder: string, root: string): Promise<boolean> {
  const found = findRepositories(folder).filter(
    ([name]) => !values.only || values.only.some(text => name.includes(text)),
  );
  const opened = (await inTurn(found, ([name, source]) => open(name, source, root))).filter(
    one => one !== null,
  );
  const outcomes: Outcome[] = [];
  const plan = share(opened, Number(values.changes));
  await inTurn(plan, async one => {
    const { project, count } = one;
    for (let number = 1; number <= count; number += 1) {
      const outcome = await playOne(one, number);
      outcomes.push(outcome);
      tell(outcome, outcomes.length);
    }
    if (!values.keep) rmSync(join(root, project.name), { recursive: true, force: true });
  });
  const count = (end: Outcome['end']): number => outcomes.filter(one => one.end === end).length;
  const byName = outcomes.filter(one => one.end === 'refused' && BY_NAME.includes(one.check));
  const result = {
    ...{ repositories: new Set(outcomes.map(one => one.repository)).size, changes: outcomes.length },
    ...{
      landed: count('landed'),
      refused: count('refused'),
      byName: byName.length,
      notStarted: count('not-started'),
    },
    reviewed: outcomes.filter(one => one.reviewed).length,
    kinds: countBy(outcomes.map(one => one.kind)),
    reasons: outcomes.filter(one => one.end !== 'landed'),
  };
  if (values.json) console.log(JSON.stringify(result));
  else
    console.log(
      `${result.landed} of ${result.changes} honest changes to ${result.repositories} repositories landed, ${result.byName} were refused for a name`,
    );
  return byName.length === 0;
}

function countBy(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
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

/** A repository whose own tests do not pass here can say nothing. */
async function open(name: string, source: string, root: string): Promise<Opened | null> {
  try {
    const project = await openProject(name, source, root);
    const ways = getWays(await readTree(project), project.full);
    if (ways === null) throw new Error(`no test can be written here for ${project.full}`);
    if (project.install) {
      const { code, stderr } = await project.run(project.install);
      if (code !== 0) throw new Error(`${project.install}: ${stderr.slice(-300)}`);
    }
    const startedMs = performance.now();
    const { code, stdout, stderr } = await project.run(project.full);
    if (code !== 0) throw new Error(`${project.full} is red: ${(stdout + stderr).slice(-300)}`);
    if ((await project.git('status', '--porcelain')) !== '')
      throw new Error('its tests change files that are in git');
    return { project, ways, suiteMs: performance.now() - startedMs };
  } catch (error) {
    console.error(`left out: ${name}: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** Quick suites get more of the changes; those with the most to do come first. */
function share(opened: readonly Opened[], changes: number): readonly (Opened & { readonly count: number })[] {
  const weights = opened.map(({ suiteMs }) => 1 / (5_000 + suiteMs));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let [given, due] = [0, 0];
  const plan = opened.map((one, i) => {
    due += ((weights[i] ?? 0) / whole) * changes;
    const count = Math.round(due) - given;
    given += count;
    return { ...one, count };
  });
  return plan.filter(({ count }) => count > 0).sort((a, b) => b.suiteMs * b.count - a.suiteMs * a.count);
}

async function inTurn<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const left = list.entries();
  const done: R[] = [];
  const worker = async (): Promise<void> => {
    for (const [at, one] of left) done[at] = await work(one);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return done;
}

/** What cannot be played is told, and nothing of it stays. */
async function playOne({ project, ways }: Opened, number: number): Promise<Outcome> {
  try {
    return await playChange(project, ways, number, values.seed);
  } catch (error) {
    await project.git('reset', '-q', '--hard');
    return {
      ...{ repository: project.name, number, kind: 'none', what: 'it could not be played' },
      ...{ end: 'not-started', check: null, reason: error instanceof Error ? error.message : String(error) },
      ...{ reviewed: false, drawnAgain: 0, seconds: 0 },
    };
  }
}

function tell(outcome: Outcome, number: number): void {
  const { repository, kind, end, check, reason, seconds, what } = outcome;
  const why = end === 'landed' ? '' : ` ${check ?? ''}: ${reason}`.replaceAll('\n', ' ');
  console.error(
    `${number} ${end === 'landed' ? '✔' : '✘'} ${repository} ${kind} (${seconds} s) ${what.replaceAll('\n', ' ')}${why}`,
  );
  if (values.log) appendFileSync(values.log, `${JSON.stringify(outcome)}\n`);
}
