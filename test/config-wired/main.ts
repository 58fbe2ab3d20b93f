import { realpathSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT_CODES } from '../../src/core/base/failure.ts';
import { buildProgram } from '../honest/build-program.ts';
import { Stage } from '../seeds/stage.ts';
import type { Probe } from './probe.ts';
import { PROBES } from './probes.ts';
import { type Finding, runProbe, type Seen } from './run-probes.ts';
import { listSettings } from './settings.ts';

const HELP = `npm run config-wired     every setting changes something: two runs of the built program that differ in it alone
  --only <text>   settings whose path begins with the text (repeat it)
  --sample <n>    about n of the probes, evenly spread
  --jobs 4        how many at a time
  --json          the last line of stdout is the result alone
  --verbose       what the runs printed, where they could not be told apart
A setting without a probe is an error. "refused" ones are an error with a reason, "told" ones are said to do nothing yet.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    sample: { type: 'string' },
    jobs: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else process.exitCode = (await main()) ? 0 : EXIT_CODES.unproven;

async function main(): Promise<boolean> {
  const probed = PROBES.flatMap(({ change }) => Object.keys(change));
  const all = listSettings().filter(setting => values.only.some(text => setting.startsWith(text)));
  const probes = takeSample(
    PROBES.filter(({ change }) => Object.keys(change).some(key => all.includes(key))),
  );
  const wanted = values.sample ? all.filter(setting => probes.some(({ change }) => setting in change)) : all;
  const root = realpathSync(await mkdtemp(join(tmpdir(), 'wired-')));
  const dist = join(process.cwd(), 'node_modules', '.cache', 'harness', `wired-${process.pid}`);
  const program = await buildProgram(dist);
  const startMs = performance.now();
  try {
    const seen: Seen = [];
    const findings = await runAll(probes, wanted, { stage: new Stage(root, program), seen });
    const missing = wanted.filter(setting => !probed.includes(setting));
    for (const setting of missing) console.error(`✘ ${setting}: no probe says what it changes`);
    const count = (outcome: string) => findings.filter(one => one.outcome === outcome).length;
    const [refused, told] = [count('refused'), count('told')];
    const wired = count('wired') + refused + told;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    const failed = findings.filter(({ outcome }) => outcome === 'nothing').map(({ setting }) => setting);
    const result = {
      keys: wanted.length,
      wired,
      refused,
      told,
      runs: seen.length,
      seconds,
      missing,
      failed,
    };
    console.log(
      values.json
        ? JSON.stringify(result)
        : `${wired} of ${wanted.length} settings are wired (${refused} refused, ${told} said to do nothing yet), ${seconds} s`,
    );
    return wired === wanted.length && wired > 0;
  } finally {
    rmSync(dist, { recursive: true, force: true });
    rmSync(root, { recursive: true, force: true });
  }
}

async function runAll(
  probes: readonly Probe[],
  wanted: readonly string[],
  { stage, seen }: { readonly stage: Stage; readonly seen: Seen },
): Promise<Finding[]> {
  const queue = [...probes];
  const findings: Finding[] = [];
  const work = async (): Promise<void> => {
    for (let probe = queue.shift(); probe; probe = queue.shift()) {
      const found = await runProbe(probe, stage, wanted, seen);
      findings.push(...found);
      for (const { setting, outcome, seconds, reason } of found) {
        console.error(`${outcome === 'nothing' ? '✘' : '✔'} ${setting}: ${outcome} (${seconds} s)`);
        if (values.verbose && reason) console.error(reason.replace(/^/gm, '    '));
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return findings;
}

function takeSample(probes: readonly Probe[]): readonly Probe[] {
  const step = Math.max(1, probes.length / Number(values.sample ?? probes.length));
  return probes.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}
