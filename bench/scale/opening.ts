import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from '../bench-options.ts';
import { copyProgram } from '../program.ts';
import { measureUntilSure, type Report, type Timing } from '../result.ts';
import { writeLongProject } from './long-project.ts';

const LIMIT = 1.5;
const LIVE = 500;

/** A whole run that is told to stop before it begins anything: in an old project, over one with the same open tasks. */
export async function measureOpening(options: BenchOptions): Promise<Report> {
  const { dir, quick, say } = options;
  const events = quick ? 20_000 : 100_000;
  say(`  a run in a project of ${events} events that begins nothing`);
  const program = copyProgram(options);
  const [old, young] = [join(dir, 'scale-old'), join(dir, 'scale-young')];
  await writeLongProject(old, { events, live: LIVE });
  await writeLongProject(young, { events: 1, live: LIVE });
  const measure = async (): Promise<Timing[]> => {
    const [oursMs, floorMs]: [number[], number[]] = [[], []];
    // The first of each writes logs and projections of all that came before.
    for (let turn = -2; turn < (quick ? 3 : 11); turn++) {
      const [ours, floor] = [time(program, old), time(program, young)];
      if (turn < 0) continue;
      oursMs.push(ours);
      floorMs.push(floor);
    }
    return [{ name: `scale-open-${events}-events`, limit: LIMIT, oursMs, floorMs }];
  };
  return { floors: [], results: await measureUntilSure(measure, say) };
}

function time(program: string, repo: string): number {
  const signals = join(repo, '.harness', 'signals');
  mkdirSync(signals, { recursive: true });
  writeFileSync(join(signals, 'stop'), '');
  const startedMs = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'run', '--json'], {
    cwd: repo,
    encoding: 'utf8',
  });
  const tookMs = performance.now() - startedMs;
  if (!stdout.includes('"asked"')) throw new Error(`run ends with ${status}: ${stdout}${stderr}`);
  return tookMs;
}
