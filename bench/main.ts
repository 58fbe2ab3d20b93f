import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAgents } from './agents.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureCold } from './cold.ts';
import { measureDisk } from './disk.ts';
import { measureManyFiles } from './many-files.ts';
import { measureOrientation } from './orientation.ts';
import { measureParallel } from './parallel/parallel.ts';
import { measurePeers } from './peers.ts';
import type { BenchResult, Floor, Report } from './result.ts';
import { measureScale } from './scale/scale.ts';
import { measureSessions } from './session.ts';
import { measureSize } from './size.ts';
import { measureVerify } from './verify.ts';

const HELP = `npm run bench -- [--json] [--quick] [--only disk|cold|size|orientation|session|verify|many-files|agents|parallel|scale|peers] [--peers] [--trace]
Prints what this machine can do at best, then how far above that the harness is. Exit 1 when a limit is missed.`;

const SECTIONS: Readonly<Record<string, (options: BenchOptions) => Promise<Report>>> = {
  disk: measureDisk,
  cold: measureCold,
  size: measureSize,
  orientation: measureOrientation,
  session: measureSessions,
  verify: measureVerify,
  'many-files': measureManyFiles,
  agents: measureAgents,
  parallel: measureParallel,
  scale: measureScale,
  peers: measurePeers,
};

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else await bench();

async function bench(): Promise<void> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'harness-bench-')));
  const options: BenchOptions = {
    quick: values.quick,
    trace: values.trace,
    dir,
    root: process.cwd(),
    say: text => process.stderr.write(`${text}\n`),
  };
  const floors: Floor[] = [];
  const results: BenchResult[] = [];
  try {
    for (const name of getSections()) {
      options.say(`measuring: ${name} …`);
      const report = await SECTIONS[name]?.(options);
      floors.push(...(report?.floors ?? []));
      results.push(...(report?.results ?? []));
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  tell(floors, results);
}

function getSections(): string[] {
  const wanted = values.only ?? Object.keys(SECTIONS).filter(name => name !== 'peers' || values.peers);
  const unknown = wanted.find(name => !(name in SECTIONS));
  if (unknown === undefined) return wanted;
  throw new Error(`there is no section "${unknown}": ${Object.keys(SECTIONS).join(', ')}`);
}

function tell(floors: readonly Floor[], results: readonly BenchResult[]): void {
  const ok = results.every(result => result.ok);
  process.exitCode = ok ? 0 : 1;
  const width = Math.max(10, ...[...floors, ...results].map(({ name }) => name.length));
  console.log('floors of this machine');
  for (const { name, value, unit } of floors) console.log(`  ${name.padEnd(width)}  ${value} ${unit}`);
  console.log('ratios (ours ÷ floor)');
  for (const { name, ratio, limit, ok, isAtLeast } of results) {
    const kept = `(${isAtLeast ? 'at least' : 'limit'} ${limit.toFixed(2)})`;
    console.log(`  ${name.padEnd(width)}  ${ratio.toFixed(2)}  ${kept}${ok ? '' : '  MISSED'}`);
  }
  if (values.json) console.log(JSON.stringify({ results, ok }));
}
