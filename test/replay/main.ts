import { appendFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { buildProgram } from '../honest/build-program.ts';
import { type Replay, replayRepository } from './replay-repository.ts';
import { getBench, getSummary } from './summary.ts';
import { BREAKS } from './variants.ts';

const HELP = `npm run replay -- <clone> <commit…> [<clone> <commit…>]   real commits, played by an agent and judged by the built command
The base is the commit's parent with the commit's tests; the agent makes its change, and then only parts of it, which
must not land unless the project's own tests are green with them. Nothing is written to the clone.
  --test-file <path>  the task's test file; the one with most new lines without it
  --no-breaks         only whole changes
  --bench             how long a verdict takes in suites of the project
  --log <file>        adds a line of JSON for each commit
  --json              the last line of stdout is the result alone
  --keep              leaves the clones`;

/** Inside the repository, so that its packages are found. */
const DIST = join(process.cwd(), 'node_modules', '.cache', 'harness', `replay-${process.pid}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'test-file': { type: 'string' },
    'no-breaks': { type: 'boolean', default: false },
    bench: { type: 'boolean', default: false },
    log: { type: 'string' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length < 2) console.log(HELP);
else {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'replay-')));
  try {
    process.exitCode = (await replayAll(root)) ? 0 : EXIT_CODES.unproven;
  } finally {
    rmSync(DIST, { recursive: true, force: true });
    if (values.keep) console.error(`The clones are in ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function replayAll(root: string): Promise<boolean> {
  const program = await buildProgram(DIST);
  const breaks = values['no-breaks'] ? [] : BREAKS;
  const options = { root, program, breaks, testFile: values['test-file'] };
  const replays: Replay[] = [];
  for (const [source, commits] of getRepositories(positionals)) {
    try {
      replays.push(...(await replayRepository(source, commits, options, tell)));
    } catch (error) {
      console.error(`left out: ${source}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const summary = getSummary(replays);
  const { played, valid, landed, wrongBlame, brokenLanded } = summary;
  const text = `${landed} of ${valid} valid commits landed (${played} were played), ${wrongBlame} were blamed on the agent, ${brokenLanded} broken changes landed`;
  const bench = values.bench ? { bench: getBench(replays) } : {};
  if (values.bench && !values.json) console.log(JSON.stringify(bench.bench));
  console.log(values.json ? JSON.stringify({ ...summary, ...bench }) : text);
  return wrongBlame === 0 && brokenLanded === 0 && played > 0 && landed >= 0.97 * valid;
}

/** A folder begins a repository, the words after it are its commits. */
function getRepositories(words: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const found: [string, string[]][] = [];
  for (const word of words) {
    if (existsSync(word)) found.push([resolve(word), []]);
    else found.at(-1)?.[1].push(word);
  }
  return found;
}

function tell(replay: Replay): void {
  const { repository, commit, own, played, broken } = replay;
  const mark = played.end === 'landed' ? '✔' : own.isValid ? '✘' : '–';
  const why = own.isValid ? played.reason : `not valid: ${own.reason}; ${played.end}: ${played.reason}`;
  const times = `suite ${own.suiteSeconds} s, baseline ${played.baselineSeconds} s, verdict ${played.verdictSeconds} s`;
  const parts = broken
    .map(({ how, end, isWrong }) => `${how}: ${end}${isWrong ? ' WRONGLY' : ''}`)
    .join(', ');
  const blame = played.end === 'landed' ? '' : ` ${played.end}${played.isCharged ? ', charged' : ''}`;
  console.error(
    `${mark} ${repository} ${commit}${blame} (${times})${parts && ` [${parts}]`} ${why}`.replaceAll(
      '\n',
      ' ',
    ),
  );
  if (values.log) appendFileSync(values.log, `${JSON.stringify(replay)}\n`);
}
