import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getCacheDir } from './cache-dir.ts';

let known: string | null = null;

/** What a person calls this host, where several share a machine, or none of its own marks can be trusted. */
const HOST_ID = 'HARNESS_HOST_ID';

/**
 * What tells this machine from others: process numbers mean something only here. Host names do not do, since a
 * laptop changes its own with the network. A container has process numbers of its own, and so a name of its own.
 */
export function getMachineId(): string {
  const given = process.env[HOST_ID];
  if (given) return `h-${given}`;
  known ??= `m-${createHash('sha256').update(`${readId()} ${readPidSpace()}`).digest('hex').slice(0, 16)}`;
  return known;
}

/** Whether that was written on this machine; older versions wrote the host name. */
export function isThisMachine(host: string): boolean {
  return host === getMachineId() || host === hostname();
}

function readId(): string {
  return readText('/etc/machine-id') || readPlatformId() || readOwnId();
}

function readPlatformId(): string {
  if (process.platform !== 'darwin') return '';
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], {
    encoding: 'utf8',
  });
  return /"IOPlatformUUID" = "([^"]+)"/.exec(stdout ?? '')?.[1] ?? '';
}

/** Made up once and kept where nothing is shared with another machine. */
function readOwnId(): string {
  const path = join(getCacheDir(), 'machine-id');
  try {
    mkdirSync(getCacheDir(), { recursive: true, mode: 0o700 });
    writeFileSync(path, randomBytes(16).toString('hex'), { flag: 'wx' });
  } catch {
    // It is there already, or cannot be: then the host name has to do.
  }
  return readText(path) || hostname();
}

/** The machine's own processes all have the same; those of a container another one, which counts from the start of its machine. */
function readPidSpace(): string {
  const FIRST = 'pid:[4026531836]';
  try {
    const space = readlinkSync('/proc/self/ns/pid');
    return space === FIRST ? '' : `${space} ${readText('/proc/sys/kernel/random/boot_id')}`;
  } catch {
    return '';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
