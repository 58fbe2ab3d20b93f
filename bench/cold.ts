import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { copyProgram } from './program.ts';
import {
  type BenchResult,
  type Floor,
  getMedian,
  getRatioResult,
  measureUntilSure,
  type Report,
  type Timing,
} from './result.ts';
import { writeSampleRepo } from './sample-repo.ts';

const TIME_LIMIT = 1.3;
const MEMORY_LIMIT = 1.4;
const FLOOR = ['-e', '0'];
const ASKED = ['status', 'next'] as const;

/** The commands that are asked most often, from a cold start, over a Node that does nothing. */
export async function measureCold(options: BenchOptions): Promise<Report> {
  const { dir, quick } = options;
  const program = copyProgram(options);
  const results: BenchResult[] = [];
  const floors: Floor[] = [];
  for (const tasks of quick ? [10] : [10, 10_000]) {
    const repo = join(dir, `cold-${tasks}`);
    writeSampleRepo(repo, { tasks, files: 0 });
    const filled = runNode([program, 'status'], repo);
    if (filled.status !== 0) throw new Error(`harness status fails: ${filled.stderr}`);
    const commands = { floor: FLOOR, status: [program, 'status'], next: [program, 'next'] };
    const measure = async (): Promise<Timing[]> => {
      const { floor: floorMs, ...ours } = measureTimes(commands, repo, quick ? 7 : 31);
      floors.push({ name: 'node -e 0', value: Math.round(getMedian(floorMs)), unit: 'ms' });
      return ASKED.map(name => ({
        name: `cold-${name}-${tasks}-tasks`,
        limit: TIME_LIMIT,
        oursMs: ours[name],
        floorMs,
      }));
    };
    results.push(...(await measureUntilSure(measure, options.say)));
    const memory = measureMemory(commands, repo, dir, quick ? 3 : 7);
    floors.push({ name: 'node -e 0', value: Math.round(getMedian(memory.floor) / 1024), unit: 'MB' });
    results.push(...getMemoryResults(memory, tasks));
  }
  return { floors, results };
}

function getMemoryResults(memory: Samples, tasks: number): BenchResult[] {
  const floorKb = getMedian(memory.floor);
  return ASKED.map(name =>
    getRatioResult(`memory-${name}-${tasks}-tasks`, MEMORY_LIMIT, getMedian(memory[name]), floorKb),
  );
}

type Commands = Readonly<Record<'floor' | 'status' | 'next', readonly string[]>>;
type Samples = Record<keyof Commands, number[]>;

/** Taken in turns, so that whatever else the machine does hits all of them alike. */
function measureTimes(commands: Commands, repo: string, rounds: number): Samples {
  const samples: Samples = { floor: [], status: [], next: [] };
  const names = Object.keys(samples) as (keyof Commands)[];
  for (let turn = -2; turn < rounds; turn++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(at + turn + 3) % names.length] as keyof Commands;
      const startedMs = performance.now();
      const result = runNode(commands[name], repo);
      const tookMs = performance.now() - startedMs;
      if (result.status !== 0) throw new Error(`${name} fails: ${result.stderr}`);
      if (turn >= 0) samples[name].push(tookMs);
    }
  }
  return samples;
}

function measureMemory(commands: Commands, repo: string, dir: string, rounds: number): Samples {
  const hook = join(dir, 'peak-memory.cjs');
  writeFileSync(hook, PEAK_HOOK);
  const samples: Samples = { floor: [], status: [], next: [] };
  for (let turn = 0; turn < rounds; turn++) {
    for (const name of Object.keys(samples) as (keyof Commands)[]) {
      const { stderr } = runNode(['--require', hook, ...commands[name]], repo);
      samples[name].push(Number(/peak-kb (\d+)/.exec(stderr)?.[1]));
    }
  }
  return samples;
}

/** The kernel's peak of this address space; the resource usage would count the parent's before the exec. */
const PEAK_HOOK = `process.on('exit', () => {
  let kb = process.resourceUsage().maxRSS;
  try { kb = /VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
  process.stderr.write('peak-kb ' + kb + '\\n');
});
`;

function runNode(args: readonly string[], cwd: string) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
}
