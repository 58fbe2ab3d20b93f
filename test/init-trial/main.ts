import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { NODE_SAMPLES } from './node-samples.ts';
import { OTHER_SAMPLES } from './other-samples.ts';
import { type Outcome, playSample, run, type Stage } from './play-sample.ts';
import type { Sample } from './sample.ts';

const HELP = `npm run init-trial   one small project for every way of testing: init, a green base, and a task that lands
  --only <text>   those whose name holds the text (repeat it)
  --jobs 2        how many at a time
  --json          the last line of stdout is the result alone
  --keep          leaves the projects
What cannot be had on this machine is left out and named. A signal ends it after the projects under way.`;

const CACHE = join(process.cwd(), 'node_modules', '.cache', 'harness');
/** Inside the repository, so that its packages are found. */
const DIST = join(CACHE, `init-trial-${process.pid}`);
/** Programs that npm has, for projects that expect them on the machine. */
const TOOLS = join(CACHE, 'init-trial-tools');

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'init-trial-')));
  try {
    process.exitCode = (await tryAll(root)) ? 0 : EXIT_CODES.unproven;
  } finally {
    rmSync(DIST, { recursive: true, force: true });
    if (values.keep) console.error(`The projects are in ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function tryAll(root: string): Promise<boolean> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
  const names = values.only ?? [''];
  const wanted = [...NODE_SAMPLES, ...OTHER_SAMPLES].filter(({ name }) =>
    names.some(text => name.includes(text)),
  );
  const bin = join(TOOLS, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${process.env.PATH}:${bin}` };
  const stage: Stage = { root, program: await build(), env, signal: stop.signal };
  await fetchTools(stage);
  const leftOut: string[] = [];
  const samples: Sample[] = [];
  for (const sample of wanted) {
    const missing = await findMissing(sample, stage);
    if (missing === null) samples.push(sample);
    else leftOut.push(`${sample.name} (${missing})`);
  }
  if (leftOut.length > 0) console.error(`left out: ${leftOut.join(', ')}`);
  const outcomes = await playAll(samples, stage);
  const ok = outcomes.filter(outcome => outcome.ok).length;
  const result = { projects: outcomes.length, ok, leftOut, failed: outcomes.filter(one => !one.ok) };
  console.log(
    values.json
      ? JSON.stringify(result)
      : `${ok} of ${outcomes.length} projects landed their task with what init wrote`,
  );
  return ok >= outcomes.length * ENOUGH && outcomes.length > 0;
}

const ENOUGH = 0.95;

async function playAll(samples: readonly Sample[], stage: Stage): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = [...samples];
  const work = async (): Promise<void> => {
    for (let sample = queue.shift(); sample && !stage.signal.aborted; sample = queue.shift()) {
      const outcome = await playSample(sample, stage).catch(error => getBroken(sample as Sample, error));
      outcomes.push(outcome);
      const { name, ok, end, full, seen, seconds, reason } = outcome;
      const text = `${ok ? '✔' : '✘'} ${name}: ${end}, ${full} (${seen}), ${seconds} s ${reason}`;
      console.error(text.replaceAll('\n', ' '));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return outcomes;
}

function getBroken({ name }: Sample, error: unknown): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  return { name, ok: false, end: 'not-started', full: null, seen: null, reason, seconds: 0 };
}

/** The first thing that this machine lacks; null where all of it is there. */
async function findMissing({ needs, path = [] }: Sample, { env, signal }: Stage): Promise<string | null> {
  for (const need of needs) {
    const where = { cwd: tmpdir(), env: { ...env, PATH: [...path, env.PATH].join(':') }, signal };
    if ((await run('sh', ['-c', need], where)).code !== 0) return need;
  }
  return null;
}

/** Whatever the registry does not give is left out like everything else that is not here. */
async function fetchTools({ env, signal }: Stage): Promise<void> {
  if (existsSync(join(TOOLS, 'node_modules'))) return;
  mkdirSync(TOOLS, { recursive: true });
  const where = { cwd: TOOLS, env, signal };
  await run('npm', ['init', '-y'], where);
  for (const name of ['bun', 'deno', 'pnpm@9', 'yarn@1'])
    await run('npm', ['install', '--no-audit', '--no-fund', name], where);
}

/** Loaded from where it stands: it builds the repository around it. */
async function build(): Promise<string> {
  const script = pathToFileURL(join(process.cwd(), 'scripts', 'build.js')).href;
  const { buildAll } = (await import(script)) as { buildAll(dist: string): Promise<void> };
  await buildAll(DIST);
  return join(DIST, 'harness.js');
}
