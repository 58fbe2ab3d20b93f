import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from '@babel/parser';
import type { Plugin } from 'esbuild';
import { FUNCTIONS, type Node, SYNTAX, visit } from './read-sources.ts';

/** What one task passes on its way from `harness run` to the landed commit. */
export interface Trace {
  readonly files: number;
  readonly functions: number;
  readonly calls: number;
  /** Steps from one function to the next that leave the folder, each counted once. */
  readonly folderChanges: number;
}

/** Builds the program with every function telling that it was entered, and lets it land one task. */
export async function traceOneTask(root: string): Promise<Trace> {
  const place = mkdtempSync(join(tmpdir(), 'harness-trace-'));
  // Inside the repository, so that its packages are found.
  const dist = join(root, 'node_modules', '.cache', 'harness', `trace-${process.pid}`);
  try {
    const names: string[] = [];
    const script = pathToFileURL(join(root, 'scripts', 'build.js')).href;
    const { buildAll } = (await import(script)) as { buildAll(to: string, plugins: Plugin[]): Promise<void> };
    await buildAll(dist, [getTelling(root, names)]);
    const entered = landOneTask(place, join(dist, 'harness.js'));
    return getTrace(entered.map(index => names[index] ?? ''));
  } finally {
    rmSync(place, { recursive: true, force: true });
    rmSync(dist, { recursive: true, force: true });
  }
}

/** Adds up names such as `src/loop/loop.ts runLoop`, in the order they were entered. */
export function getTrace(entered: readonly string[]): Trace {
  const getFile = (name: string): string => name.slice(0, name.indexOf(' '));
  const changes = new Set<string>();
  entered.forEach((name, at) => {
    const before = entered[at - 1];
    if (before !== undefined && dirname(getFile(before)) !== dirname(getFile(name)))
      changes.add(`${before} ${name}`);
  });
  return {
    files: new Set(entered.map(getFile)).size,
    functions: new Set(entered).size,
    calls: entered.length,
    folderChanges: changes.size,
  };
}

function getTelling(root: string, names: string[]): Plugin {
  return {
    name: 'tell-functions',
    setup(plugin) {
      plugin.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return { contents: addTelling(text, relative(root, path), names), loader: 'ts' };
      });
    },
  };
}

/** The text with a call at the head of each function; the number given is the name's place in the list. */
export function addTelling(text: string, path: string, names: string[]): string {
  const edits: { readonly at: number; readonly text: string }[] = [];
  visit({ ...parse(text, SYNTAX).program }, undefined, (node, name) => {
    if (!FUNCTIONS.has(node.type)) return;
    const { type, start, end } = node.body as Node & { readonly start: number; readonly end: number };
    const call = `globalThis.__entered?.(${names.length})`;
    names.push(`${path} ${name}:${start}`);
    if (type === 'BlockStatement') edits.push({ at: start + 1, text: `${call};` });
    else edits.push({ at: start, text: `(${call}, ` }, { at: end, text: ')' });
  });
  return edits
    .sort((a, b) => b.at - a.at)
    .reduce((all, one) => `${all.slice(0, one.at)}${one.text}${all.slice(one.at)}`, text);
}

const HOOK = `const entered = [];
globalThis.__entered = index => entered.push(index);
process.on('exit', () => require('node:fs').writeFileSync(process.env.TRACE_FILE, JSON.stringify(entered)));
`;

const PROJECT: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "traced", "type": "module" }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': getTest('add', 'add(1, 2), 3'),
  'test/sub.test.js': getTest('sub', 'sub(3, 2), 1'),
  'agent.sh': 'echo "export const sub = (a, b) => a - b;" > src/sub.js\n',
  'features.json': JSON.stringify({
    features: [
      { id: 1, description: 'Numbers can be subtracted', test_file: 'test/sub.test.js', passes: false },
    ],
  }),
  '.harness.yaml': `project: { name: traced }
agent: { provider: command, command: sh agent.sh }
testing: { full: node --test, runner: node }
`,
};

function getTest(name: string, equal: string): string {
  return `import assert from 'node:assert/strict';
import test from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name}', () => assert.equal(${equal}));
`;
}

function landOneTask(place: string, program: string): readonly number[] {
  const dir = join(place, 'project');
  for (const [path, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const hook = join(place, 'hook.cjs');
  const file = join(place, 'entered.json');
  writeFileSync(hook, HOOK);
  const env = { PATH: process.env.PATH, HOME: place, TRACE_FILE: file };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], { cwd: dir, env });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'A project');
  execFileSync(process.execPath, ['--require', hook, program, 'run', '--json'], {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return JSON.parse(readFileSync(file, 'utf8')) as number[];
}
