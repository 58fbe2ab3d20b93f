import { parseArgs } from 'node:util';
import { BREAKAGES, type Breakage } from './breakages.ts';
import { runSeed } from './run-seed.ts';

const HELP = `npm run sim -- [--seeds 5000] [--from 1] [--json] [--break ${BREAKAGES.join('|')}]
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
else await sweep(Number(values.from), Number(values.seeds));

async function replay(seed: number): Promise<void> {
  const result = await runSeed(seed, getBreakage());
  console.log(result.trace.join('\n'));
  console.log(result.violations.length === 0 ? 'no violation' : result.violations.join('\n'));
  process.exitCode = result.violations.length === 0 ? 0 : 5;
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
  const found = BREAKAGES.find(breakage => breakage === name);
  if (!found) throw new Error(`--break takes one of ${BREAKAGES.join(', ')}`);
  return found;
}
