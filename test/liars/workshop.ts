import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { CheckName } from '../../src/core/model/check.ts';
import { type FoldingDisk, mountFoldingDisk } from './folding-disk.ts';
import { createJsKit } from './kits/js-kits.ts';
import type { Kit, Runner } from './kits/kit.ts';
import { createPythonKit } from './kits/python-kit.ts';

/** What cases are played with: the built command and a sample for every runner. */
export interface Workshop {
  /** Cases get a folder of their own below this. */
  readonly root: string;
  /** The same for cases that want a disk which folds names. */
  getFoldingRoot(): string;
  getProgram(without: CheckName | null): Promise<string>;
  getKit(runner: Runner): Kit;
  close(): void;
}

const REPO = process.cwd();
const PLACE = join(REPO, 'test', 'liars');

/** Installs the runners where they are missing; `close` takes everything else away. */
export function openWorkshop({ keep = false } = {}): Workshop {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'harness-liars-')));
  const programs = new Map<CheckName | null, Promise<string>>();
  const kits = new Map<Runner, Kit>();
  const modules = join(root, 'modules');
  let disk: FoldingDisk | undefined;
  return {
    root,
    getFoldingRoot: () => {
      disk ??= mountFoldingDisk(join(root, 'folding'));
      return disk.root;
    },
    getProgram: without => {
      const known = programs.get(without) ?? build(without);
      programs.set(without, known);
      return known;
    },
    getKit: runner => {
      if (runner !== 'pytest' && runner !== 'node' && !existsSync(modules)) linkModules(modules);
      const kit =
        kits.get(runner) ??
        (runner === 'pytest' ? createPythonKit(findPython()) : createJsKit(runner, modules));
      kits.set(runner, kit);
      return kit;
    },
    close: () => {
      disk?.unmount();
      rmSync(getDist(''), { recursive: true, force: true });
      if (!keep) rmSync(root, { recursive: true, force: true });
    },
  };
}

async function build(without: CheckName | null): Promise<string> {
  const dist = join(getDist(without ?? 'whole'));
  // Loaded from where it stands: it builds the repository around it.
  const script = pathToFileURL(join(REPO, 'scripts', 'build.js')).href;
  const { buildAll } = (await import(script)) as { buildAll(dist: string, plugins: Plugin[]): Promise<void> };
  let found = 0;
  const onFound = (times: number) => {
    found += times;
  };
  await buildAll(dist, without === null ? [] : [takeOut(without, onFound)]);
  if (without !== null && found !== 1)
    throw new Error(`src/checks has ${found} places where a check is asked, not one: ${without} is still on`);
  return join(dist, 'harness.js');
}

/** Inside the repository, so that its packages are found. */
function getDist(name: string): string {
  return join(REPO, 'node_modules', '.cache', 'harness', `liars-${process.pid}`, name);
}

/** Builds the command with one check answering yes to everything; the product itself has no such switch. */
function takeOut(check: CheckName, onFound: (times: number) => void): Plugin {
  const judge = 'await judge(ctx)';
  const off = `(name === '${check}' ? { status: 'passed', summary: 'switched off' } as const : ${judge})`;
  return {
    name: `without-${check}`,
    setup(plugin) {
      plugin.onLoad({ filter: /src\/checks\/.*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        onFound(text.split(judge).length - 1);
        return { contents: text.replace(judge, off), loader: 'ts' };
      });
    },
  };
}

/** The runners as one folder of links: jest and mocha from here, vitest and TypeScript from the repository. */
function linkModules(modules: string): void {
  installRunners();
  const sources = [join(PLACE, 'node_modules'), join(REPO, 'node_modules')];
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const [source, names] of [
    [sources[0], ['jest', 'mocha', '@jest']],
    [sources[1], ['vitest', '@vitest', 'typescript', '@types', 'vite']],
  ] as const) {
    for (const name of names) {
      const target = join(source ?? '', name);
      if (existsSync(target)) symlinkSync(target, join(modules, name));
    }
  }
  for (const source of sources) {
    for (const name of readdirSync(join(source, '.bin'))) {
      if (!['jest', 'mocha', 'vitest', 'tsc'].includes(name)) continue;
      rmSync(join(modules, '.bin', name), { force: true });
      symlinkSync(realpathSync(join(source, '.bin', name)), join(modules, '.bin', name));
    }
  }
}

/** `npm ci`, unless what is there was installed from the same lockfile. */
function installRunners(): void {
  const lock = readFileSync(join(PLACE, 'package-lock.json'), 'utf8');
  const stamp = join(PLACE, 'node_modules', '.installed-from.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing jest and mocha into test/liars (about 60 MB, once).');
  const flags = ['--prefix', PLACE, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', ...flags], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('npm ci --prefix test/liars failed');
  writeFileSync(stamp, lock);
}

/** An interpreter that has pytest: the machine's, or one of our own in test/liars. */
function findPython(): string {
  const own = join(PLACE, 'node_modules', '.python', 'bin', 'python3');
  const hasPytest = (python: string) => spawnSync(python, ['-m', 'pytest', '--version']).status === 0;
  if (!hasPytest('python3') && !hasPytest(own)) {
    console.error('Installing pytest into test/liars (once).');
    execFileSync('python3', ['-m', 'venv', join(PLACE, 'node_modules', '.python')]);
    execFileSync(own, ['-m', 'pip', 'install', '-q', 'pytest'], { stdio: ['ignore', 2, 2] });
  }
  const python = hasPytest('python3') ? 'python3' : own;
  // A shim needs its owner's home folder, which a contained run does not have.
  return execFileSync(python, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();
}
