import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { isLater, type Row } from './behaviour.ts';
import { ROWS } from './rows.ts';
import { showRows } from './show-rows.ts';
import { Stage } from './stage.ts';

const HELP = `npm run seeds          every behaviour that people who come from another harness are used to, shown on the built program
  --only <text>   those whose id begins with the text (C14, C14.3), or that ask for it in words (repeat it)
  --sample <n>    about n of them, evenly spread
  --jobs 4        how many at a time
  --list          names them and runs nothing
  --json          the last line of stdout is the result alone
  --keep          leaves the projects
Behaviours that are not built yet are listed as "later" and counted apart.`;

/** Inside the repository, so that its packages are found. */
const DIST = join(process.cwd(), 'node_modules', '.cache', 'harness', `seeds-${process.pid}`);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    jobs: { type: 'string', default: '4' },
    list: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const wanted = takeSample(ROWS.filter(isWanted));
if (values.help) console.log(HELP);
else if (values.list) for (const row of wanted) console.log(getLine(row));
else {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'seeds-')));
  try {
    process.exitCode = (await show(root)) ? 0 : EXIT_CODES.unproven;
  } finally {
    rmSync(DIST, { recursive: true, force: true });
    if (values.keep) console.error(`The projects are in ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function show(root: string): Promise<boolean> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
  const summary = await showRows(wanted, {
    stage: new Stage(root, await build()),
    jobs: Number(values.jobs),
    signal: stop.signal,
    onShown: (behaviour, { ok, seconds, reason }) => {
      console.error(`${ok ? '✔' : '✘'} ${getLine(behaviour)} (${seconds} s)`);
      if (!ok) console.error(reason.replace(/^/gm, '    '));
    },
  });
  const { behaviours, shown, later } = summary;
  console.log(
    values.json
      ? JSON.stringify(summary)
      : `${shown} of ${behaviours} behaviours shown, ${later} to come later`,
  );
  return shown === behaviours && behaviours > 0;
}

function isWanted(row: Row): boolean {
  const { only = [''] } = values;
  return only.some(
    text =>
      row.id === text ||
      row.id.startsWith(`${text}.`) ||
      row.asked.toLowerCase().includes(text.toLowerCase()),
  );
}

function takeSample(rows: readonly Row[]): readonly Row[] {
  const size = Number(values.sample ?? rows.length);
  const step = Math.max(1, rows.length / size);
  return rows.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

function getLine(row: Row): string {
  return isLater(row)
    ? `${row.id} ${row.asked} (later: ${row.later})`
    : `${row.id} ${row.asked}: ${row.command} → ${row.seen}`;
}

/** Loaded from where it stands: it builds the repository around it. */
async function build(): Promise<string> {
  const script = pathToFileURL(join(process.cwd(), 'scripts', 'build.js')).href;
  const { buildAll } = (await import(script)) as { buildAll(dist: string): Promise<void> };
  await buildAll(DIST);
  return join(DIST, 'harness.js');
}
