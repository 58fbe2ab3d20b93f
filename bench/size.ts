import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';
import { getRatioResult, type Report, round } from './result.ts';

const LIMIT_MB = 15;
/** Node 20 has no SQLite of its own; this package's binaries stand in for it. */
const SQLITE = '@photostructure/sqlite';
/** Scripts that npm would run on somebody's machine when they install us. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];

/** What ends up on the disk of somebody who installs the package, and that nothing runs or loads meanwhile. */
export async function measureSize(options: BenchOptions): Promise<Report> {
  const installed = install(options);
  const sqliteMb = getMb(join(installed, SQLITE)) + getMb(join(installed, 'node_modules', SQLITE));
  const oursMb = getMb(installed) - sqliteMb;
  const scripts = getInstallScripts(options.root);
  for (const script of scripts) options.say(`package.json has an install script: ${script}`);
  return {
    floors: [{ name: `size of ${SQLITE}`, value: round(sqliteMb), unit: 'MB' }],
    results: [
      getRatioResult('installed-size-of-15-mb', 1, oursMb, LIMIT_MB),
      getRatioResult('install-scripts', 0, scripts.length, 1),
    ],
  };
}

/** Installs the packed package without running anybody's scripts: it has to work like that. */
function install({ dir, root, say }: BenchOptions): string {
  const place = join(dir, 'size');
  mkdirSync(place);
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', place];
  const archive = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent'];
  try {
    execFileSync('npm', ['install', ...flags, `./${archive}`], { cwd: place, stdio: 'ignore' });
  } catch {
    say('  npm cannot install here: the unpacked archive is measured, with the one dependency it has');
    return unpack(place, archive, root);
  }
  const program = join(place, 'node_modules', '.bin', 'harness');
  execFileSync(program, ['--version'], { cwd: place, stdio: 'ignore' });
  return join(place, 'node_modules');
}

function unpack(place: string, archive: string, root: string): string {
  execFileSync('tar', ['-xzf', archive], { cwd: place });
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    cpSync(join(root, 'node_modules', name), join(place, 'package', 'node_modules', name), {
      recursive: true,
    });
  }
  return join(place, 'package');
}

function getInstallScripts(root: string): string[] {
  const { scripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return INSTALL_SCRIPTS.filter(name => name in scripts);
}

function getMb(path: string): number {
  return getBytes(path) / 1024 / 1024;
}

/** Whole blocks, as `du` counts them. */
function getBytes(path: string): number {
  if (!existsSync(path)) return 0;
  const found = lstatSync(path);
  const below = found.isDirectory() ? readdirSync(path).map(name => getBytes(join(path, name))) : [];
  return below.reduce((sum, bytes) => sum + bytes, found.blocks * 512);
}
