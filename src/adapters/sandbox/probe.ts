import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Containment } from '../../ports/index.ts';
import { hasPid } from '../process/proc.ts';
import { createSandbox } from './sandbox.ts';
import type { BwrapFeatures } from './sandbox-plan.ts';

/** What this machine offers, seen by trying. */
export interface SandboxProbe extends Containment {
  /** Null when there is only process containment. */
  readonly bwrap: { readonly path: string; readonly features: BwrapFeatures } | null;
}

let known: Promise<SandboxProbe> | null = null;

/** Finds out once per run whether bubblewrap is there and holds. */
export function probeSandbox(): Promise<SandboxProbe> {
  known ??= runProbe(process.env.PATH ?? '');
  return known;
}

/** The probe itself, for a PATH. */
export async function runProbe(path: string): Promise<SandboxProbe> {
  if (process.platform !== 'linux')
    return getWithout(`bubblewrap needs Linux, and this is ${process.platform}`);
  const bwrap = findProgram('bwrap', path);
  if (bwrap === null) return getWithout('bubblewrap is not installed (apt install bubblewrap)');
  const help = await run(bwrap, ['--help'], {});
  const features = { disableUserns: help.stdout.includes('--disable-userns') };
  const problem = await findLeak(bwrap, features);
  if (problem !== null) return getWithout(`bubblewrap does not hold here: ${problem}`);
  return {
    level: 'bubblewrap',
    reason: 'a trial run could not write outside, see a hidden file, see our processes or reach the network',
    bwrap: { path: bwrap, features },
  };
}

function getWithout(reason: string): SandboxProbe {
  return { level: 'process', reason, bwrap: null };
}

/** The absolute place of a program, so that nothing in a worktree can take its name. */
function findProgram(name: string, path: string): string | null {
  const folders = path.split(':').filter(folder => folder.startsWith('/'));
  const found = folders.map(folder => join(folder, name)).find(file => existsSync(file));
  return found ?? null;
}

/** Tries in a sandbox what must not work there; a sentence when something did, or when it did not start. */
async function findLeak(bwrap: string, features: BwrapFeatures): Promise<string | null> {
  removeStale();
  const place = realpathSync(mkdtempSync(join(tmpdir(), `${PROBE_PREFIX}${process.pid}-`)));
  const at = (name: string): string => join(place, name);
  try {
    for (const name of ['tree', 'box', 'seen', 'hidden']) mkdirSync(at(name));
    writeFileSync(at('seen/file'), 'before');
    writeFileSync(at('hidden/file'), 'secret');
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    const { file, args } = createSandbox({
      ...{ bwrap, features, network: 'off', home: '/', agents: [], writable: [] },
      ...{ hidden: [at('hidden')], readable: [at('seen')] },
    }).wrap({ file: '/bin/sh', args: ['-c', TRIAL, 'trial', place], cwd: at('tree'), env, box: at('box') });
    const { stdout, stderr } = await run(file, args, env);
    return getLeak(stdout, stderr, readFileSync(at('seen/file'), 'utf8'), readFileIfThere(at('tree/file')));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const PROBE_PREFIX = 'harness-probe-';

/** Removes the places of probes that were killed: nobody else knows of them. */
function removeStale(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PROBE_PREFIX) ? Number.parseInt(name.slice(PROBE_PREFIX.length), 10) : 0;
    if (pid > 0 && pid !== process.pid && !hasPid(pid))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

const TRIAL = `
( echo after > "$1/seen/file" ) 2>/dev/null
cat "$1/hidden/file" 2>/dev/null && echo
echo inside > "$1/tree/file"
readlink /proc/self/ns/pid
readlink /proc/self/ns/net
`;

function getLeak(stdout: string, stderr: string, seen: string, tree: string | null): string | null {
  if (tree !== 'inside\n') return stderr.trim() || 'nothing could be started in it';
  if (seen !== 'before') return 'a read-only file could be written';
  if (stdout.includes('secret')) return 'a hidden file could be read';
  if (stdout.includes(readlinkSync('/proc/self/ns/pid'))) return 'our processes can be seen';
  if (stdout.includes(readlinkSync('/proc/self/ns/net'))) return 'the network can be reached';
  return stdout.includes('net:[') && stdout.includes('pid:[') ? null : 'it does not say where it is';
}

function readFileIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(file, args, { env, timeout: 10_000 }, (error, stdout, stderr) => {
      resolve({ stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}
