import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { BREAKAGES, type Breakage } from './breakages.ts';
import { runSeed } from './run-seed.ts';

/** Nights that one process plays. */
const PART = 500;

const HELP = `npm run sim -- [--seeds 5000] [--from 1] [--json] [--break ${Object.keys(BREAKAGES).join('|')}]
npm run sim -- --seed 42            replays one night and prints what happened`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    break: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else if (values.seed !== undefined) await replay(Number(values.seed));
else if (Number(values.seeds) >= 1_000) await share(Number(values.from), Number(values.seeds));
else await sweep(Number(values.from), Number(values.seeds));

async function replay(seed: number): Promise<void> {
  const result = await runSeed(seed, getBreakage());
  console.log(result.trace.join('\n'));
  console.log(result.violations.length === 0 ? 'no violation' : result.violations.join('\n'));
  process.exitCode = result.violations.length === 0 ? 0 : 5;
}

/** Many nights are shared out over the cores; each is the same wherever it is played. */
async function share(from: number, seeds: number): Promise<void> {
  const parts = Math.ceil(seeds / PART);
  const total = { seeds: 0, violations: 0, kills: 0 };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < parts) {
      const start = next++ * PART;
      const result = await runPart(from + start, Math.min(PART, seeds - start));
      total.seeds += result.seeds;
      total.violations += result.violations;
      total.kills += result.kills;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (total.seeds !== seeds) throw new Error(`only ${total.seeds} of ${seeds} nights were played`);
  console.log(
    values.json
      ? JSON.stringify(total)
      : `${seeds} nights, ${total.kills} kills, ${total.violations} violations`,
  );
  process.exitCode = total.violations === 0 ? 0 : 5;
}

function runPart(from: number, seeds: number): Promise<{ seeds: number; violations: number; kills: number }> {
  const more = values.break === undefined ? [] : ['--break', values.break];
  const args = ['--from', String(from), '--seeds', String(seeds), '--json', ...more];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [process.argv[1] ?? '', ...args],
      { encoding: 'utf8' },
      (_, stdout, stderr) => {
        process.stderr.write(stderr);
        try {
          resolve(JSON.parse(stdout) as { seeds: number; violations: number; kills: number });
        } catch {
          reject(new Error(`no result for seeds from ${from}: ${stderr}`));
        }
      },
    );
  });
}

async function sweep(from: number, seeds: number): Promise<void> {
  let violations = 0;
  let kills = 0;
  for (let seed = from; seed < from + seeds; seed++) {
    const result = await runSeed(seed, getBreakage());
    kills += result.kills;
    if (result.violations.length === 0) continue;
    violations++;
    if (violations <= 5)
      console.error(`seed ${seed}: ${result.violations[0]}   (replay: npm run sim -- --seed ${seed})`);
  }
  console.log(
    values.json
      ? JSON.stringify({ seeds, violations, kills })
      : `${seeds} nights, ${kills} kills, ${violations} violations`,
  );
  process.exitCode = violations === 0 ? 0 : 5;
}

function getBreakage(): Breakage | null {
  const name = values.break;
  if (name === undefined) return null;
  const names = Object.keys(BREAKAGES) as Breakage[];
  const found = names.find(breakage => breakage === name);
  if (!found) throw new Error(`--break takes one of ${names.join(', ')}`);
  return found;
}
