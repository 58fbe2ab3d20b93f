import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from '../../core/model/testing.ts';
import PYTHON from './observe.py';

/** What makes the programs of a run note who reads some files, and how their notes are read back. */
export interface Observer {
  readonly env: Readonly<Record<string, string>>;
  read(): Promise<readonly Reading[]>;
}

/**
 * Lays out, in a folder that the run may write, a preload for Node and one for Python. Each notes the project's
 * frames on the stack whenever one of `paths` is opened. Code under judgement could forge such notes: they decide
 * about files of the base, on the base, and elsewhere only who else has to look.
 */
export async function openObserver(
  folder: string,
  tree: string,
  paths: readonly string[],
): Promise<Observer> {
  const notes = join(folder, 'notes');
  const python = join(folder, 'python');
  await Promise.all([mkdir(notes, { recursive: true }), mkdir(python, { recursive: true })]);
  const setup = JSON.stringify({ tree, paths, notes });
  const preload = join(folder, 'observe.cjs');
  await writeFile(preload, `const setup = ${setup};\n${NODE}`);
  await writeFile(
    join(python, 'sitecustomize.py'),
    `import json\nsetup = json.loads(${JSON.stringify(setup)})\n${PYTHON}`,
  );
  return {
    env: {
      NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      PYTHONPATH: python,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    read: async () => {
      const texts = await Promise.all(
        (await readdir(notes)).map(name => readFile(join(notes, name), 'utf8').catch(() => '')),
      );
      return texts.flatMap(text => text.split('\n').filter(Boolean)).flatMap(getReading);
    },
  };
}

/** A line that was cut off by the end of its program says nothing. */
function getReading(line: string): readonly Reading[] {
  try {
    const { path, by } = JSON.parse(line) as Reading;
    return typeof path === 'string' && Array.isArray(by) ? [{ path, by: by.map(String) }] : [];
  } catch {
    return [];
  }
}

const NODE = String.raw`
const fs = require('node:fs');
const { join, resolve, sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const append = fs.appendFileSync;
const wanted = new Map(setup.paths.map(path => [join(setup.tree, path), path]));
const seen = new Set();

function getPath(target) {
  try {
    if (typeof target === 'string' || Buffer.isBuffer(target)) return resolve(String(target));
    return target instanceof URL ? fileURLToPath(target) : null;
  } catch {
    return null;
  }
}

function getFrames() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  Error.prepareStackTrace = (_, sites) => sites.map(site => site.getFileName() ?? '');
  const names = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const files = (Array.isArray(names) ? names : []).map(name => (name.startsWith('file:') ? getPath(new URL(name)) : name));
  return files
    .map(name => (name ?? '').split('?')[0])
    .filter(name => name.startsWith(setup.tree + sep))
    .map(name => name.slice(setup.tree.length + 1));
}

function note(target) {
  const path = wanted.get(getPath(target));
  if (path === undefined) return;
  const line = JSON.stringify({ path, by: [...new Set(getFrames())] });
  if (seen.has(line)) return;
  seen.add(line);
  try {
    append(join(setup.notes, String(process.pid)), line + '\n');
  } catch {}
}

function wrap(owner, names) {
  for (const name of names) {
    const real = owner[name];
    if (typeof real !== 'function') continue;
    const noting = function (...args) {
      note(args[0]);
      return Reflect.apply(real, this, args);
    };
    Object.defineProperties(noting, Object.getOwnPropertyDescriptors(real));
    owner[name] = noting;
  }
}

const NAMES = ['readFile', 'open', 'copyFile', 'cp', 'opendir'];
wrap(fs, [...NAMES, ...NAMES.map(name => name + 'Sync'), 'createReadStream']);
wrap(fs.promises, NAMES);
require('node:module').syncBuiltinESMExports();
`;
