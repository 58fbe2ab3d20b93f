// The agent SDKs of the real-agent suite and the bench: 800 MB, so no part of the plain npm ci.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SDKS_DIR = join(process.cwd(), 'test', 'agents');

/** `npm ci` beside the suite, unless what is there was installed from the same lockfile. */
export function installSdks() {
  const lock = readFileSync(join(SDKS_DIR, 'package-lock.json'), 'utf8');
  const stamp = join(SDKS_DIR, 'node_modules', '.installed-from.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  const modules = join(SDKS_DIR, 'node_modules');
  // npm ci would empty what the link leads to, and that is somebody else's.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(`${modules} is a link: install the SDKs where it leads to, or remove it`);
  process.stderr.write('Installing the agent SDKs into test/agents (about 800 MB, once).\n');
  const options = ['--prefix', SDKS_DIR, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = spawnSync('npm', ['ci', ...options], { stdio: ['ignore', 2, 2] });
  if (installed.status !== 0) throw new Error('npm ci --prefix test/agents failed');
  writeFileSync(stamp, lock);
}
