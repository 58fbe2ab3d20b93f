import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessTable } from '../../src/adapters/process/proc.ts';
import type { Breakage } from './breakages.ts';
import { type Harm, parseOrder } from './failpoints.ts';
import { getUserEnv, type Scene } from './scenes.ts';

/** A run that takes longer than this will never end; where something is broken, it is expected not to. */
const PATIENCE_MS = { whole: 90_000, broken: 15_000 };

/** Several lanes with a database and a remote have more to do, also where something is broken. */
function getPatienceMs({ breakage, storeUrl }: ChildRequest): number {
  return PATIENCE_MS[breakage === null || storeUrl !== null ? 'whole' : 'broken'];
}

/** How processes are seen. */
export type Procs = ProcessTable['kind'];

/** One of the three ways, or an error that lists them. */
export function parseProcs(name: string | undefined): Procs | null {
  if (!name) return null;
  if (name === 'proc' || name === 'ps' || name === 'none') return name;
  throw new Error('--procs takes proc, ps or none');
}

export interface ChildRequest {
  /** The bundled entry.ts. */
  readonly program: string;
  readonly dir: string;
  /** Where what is seen is written down, on another disk than the run's own. */
  readonly notes: string;
  readonly scene: Scene;
  /** Where the records are, if not in a file. */
  readonly storeUrl: string | null;
  readonly breakage: Breakage | null;
  /** How it sees processes, where that is not as this machine does. */
  readonly procs: Procs | null;
  /** `name#hit` for a failpoint (failpoints.ts), `@120` for a kill from outside after so many ms, `@@120` with its git. */
  readonly kill: string | null;
  /** What its notes are called by. */
  readonly number: string;
}

export interface ChildResult {
  readonly end: 'killed' | 'exited' | 'stuck';
  /** What was done to it, other than killing it. */
  readonly harmed: Harm | null;
  readonly exitCode: number | null;
  /** How often the run came past each failpoint. */
  readonly passed: ReadonlyMap<string, number>;
  readonly output: string;
}

/** Runs the harness once in a scene, with a kill somewhere or none. */
export async function runChild(request: ChildRequest): Promise<ChildResult> {
  const recordPath = join(request.notes, `passed-${request.number}`);
  const outputPath = join(request.notes, `output-${request.number}`);
  const output = openSync(outputPath, 'w');
  const child = spawn(process.execPath, [request.program], {
    cwd: join(request.dir, 'p'),
    env: getEnv(request, recordPath),
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const pid = child.pid ?? 0;
  let isStuck = false;
  const timers = [
    setTimeout(() => {
      isStuck = true;
      killQuietly(-pid);
    }, getPatienceMs(request)),
  ];
  const timed = /^(@@?)(\d+)$/.exec(request.kill ?? '');
  if (timed) timers.push(setTimeout(() => killQuietly(timed[1] === '@' ? pid : -pid), Number(timed[2])));
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) => resolve([code, by]));
  });
  for (const timer of timers) clearTimeout(timer);
  rmSync(getFiller(request.dir), { force: true });
  const passed = getCounts(readText(recordPath));
  const order = timed ? null : parseOrder(request.kill ?? undefined);
  const isHarmed = order !== null && order.harm !== 'kill' && (passed.get(order.name) ?? 0) >= order.hit;
  return {
    end: isStuck ? 'stuck' : signal === 'SIGKILL' ? 'killed' : 'exited',
    harmed: isHarmed ? order.harm : null,
    exitCode,
    passed,
    output: readText(outputPath),
  };
}

function getEnv(request: ChildRequest, recordPath: string): Record<string, string> {
  const { dir, kill, breakage, procs, scene, storeUrl } = request;
  const env: Record<string, string> = {
    ...getUserEnv(),
    HOME: join(dir, 'home'),
    TMPDIR: join(dir, 'tmp'),
    HARNESS_CACHE_DIR: join(dir, 'cache'),
    CHAOS_RECORD: recordPath,
    CHAOS_SLOW_GIT: join(dir, 'slow'),
    CHAOS_FILLER: getFiller(dir),
  };
  if (kill && !kill.startsWith('@')) env.CHAOS_KILL = kill;
  if (storeUrl !== null) env.HARNESS_STORE_URL = storeUrl;
  if (breakage) env.CHAOS_BREAK = breakage;
  if (procs) env.CHAOS_PROCS = procs;
  if (scene === 'moving') env.CHAOS_BY_HAND = join(dir, 'committed-by-hand');
  return env;
}

function getFiller(dir: string): string {
  return join(dir, 'filler');
}

function getCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of text.split('\n')) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
