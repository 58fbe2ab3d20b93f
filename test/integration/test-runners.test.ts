import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRandom } from '../../src/adapters/process/random.ts';
import { createShell } from '../../src/adapters/process/shell.ts';
import { createTests } from '../../src/adapters/tests/run-tests.ts';
import type { RunnerKind } from '../../src/core/model/testing.ts';
import { getFeatureCommand } from '../../src/core/testing/test-command.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const random = createRandom();

let root = '';
let tree = '';

/** The tree is reached through a symlink, as on systems where the temporary folder is one. */
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'runners-')));
  await mkdir(join(root, 'real'));
  await mkdir(join(root, 'reports'));
  await symlink(join(root, 'real'), join(root, 'link'));
  tree = join(root, 'link');
});

afterEach(() => rmSync(root, { recursive: true }));

async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
}

async function run(runner: RunnerKind, command: string) {
  const tests = createTests(
    createShell({ workerId: 'w-runners', random }),
    () => join(root, 'reports', random.token()),
    path => rm(path, { force: true }),
  );
  const made = await tests.run({
    dir: tree,
    command,
    runner,
    reportPath: null,
    idWithoutReport: command,
    timeoutMs: 60_000,
  });
  expect(await readdir(join(root, 'reports'))).toEqual([]);
  return { ...made, lines: made.results.map(({ outcome, id }) => `${outcome} ${id}`) };
}

const SLOW_MS = 60_000;

it(
  'vitest: ids, a file that cannot be loaded, and one file alone',
  async () => {
    await symlink(NODE_MODULES, join(tree, 'node_modules'));
    await writeFiles({
      'src/sum.test.ts': `import { describe, expect, it } from 'vitest';
      describe('sum', () => { it('adds', () => expect(1 + 1).toBe(2)); it('fails', () => expect(1).toBe(2)); });`,
      'src/broken.test.ts': `import './nowhere.ts';`,
    });
    const full = 'npx vitest run';
    const all = await run('vitest', full);
    expect(all.reportProblem).toBeUndefined();
    expect([...all.lines].sort()).toEqual([
      'error src/broken.test.ts',
      'failed src/sum.test.ts > sum > fails',
      'passed src/sum.test.ts > sum > adds',
    ]);
    expect(all.outputTail).toContain('1 failed | 1 passed');
    const testing = { runner: 'vitest', full, feature: null, reportPath: null } as const;
    const one = await run('vitest', getFeatureCommand(testing, 'src/broken.test.ts') ?? '');
    expect(one.lines).toEqual(['error src/broken.test.ts']);
  },
  SLOW_MS,
);

it(
  'vitest: an error outside of every test keeps a run from being green',
  async () => {
    await symlink(NODE_MODULES, join(tree, 'node_modules'));
    await writeFiles({
      'a.test.ts': `import { it } from 'vitest';
      it('leaves a bomb', () => { setTimeout(() => { throw new Error('bang'); }, 0); });
      it('waits', () => new Promise(done => setTimeout(done, 50)));`,
    });
    const { lines, exitCode } = await run('vitest', 'npx vitest run');
    expect(exitCode).toBe(1);
    expect(lines).toEqual(['passed a.test.ts > leaves a bomb', 'passed a.test.ts > waits', 'error (runner)']);
  },
  SLOW_MS,
);

it.each([
  ['spelled out', 'node --test test/a.test.mjs test/b.test.mjs test/empty.test.mjs'],
  ['behind npm', 'npm test --silent'],
])(
  'node --test, %s: every test is found in its own file, and an empty file is no test',
  async (_, command) => {
    await writeFiles({
      'package.json':
        '{"scripts":{"test":"node --test test/a.test.mjs test/b.test.mjs test/empty.test.mjs"}}',
      'test/a.test.mjs': `import { describe, it } from 'node:test';
      describe('suite', () => { it('works', () => {}); it('fails', () => { throw new Error('boom'); }); });`,
      'test/b.test.mjs': `import { test } from 'node:test'; test('works', () => {}); test('later', { skip: true }, () => {});`,
      'test/empty.test.mjs': '',
    });
    const { lines, reportProblem, exitCode } = await run('node', command);
    expect(reportProblem).toBeUndefined();
    expect(exitCode).toBe(1);
    expect(lines).toEqual([
      'passed test/a.test.mjs > suite > works',
      'failed test/a.test.mjs > suite > fails',
      'passed test/b.test.mjs > works',
      'skipped test/b.test.mjs > later',
    ]);
  },
);

it(
  'node --test: emptied tests are no tests',
  async () => {
    await writeFiles({ 'test/empty.test.mjs': '' });
    const { results, reportProblem } = await run('node', 'node --test test/empty.test.mjs');
    expect({ results, reportProblem }).toEqual({ results: [], reportProblem: 'no tests were collected' });
  },
  SLOW_MS,
);

it.skipIf(spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0)(
  'pytest: a file that cannot be imported hides no other',
  async () => {
    await writeFiles({
      'tests/test_a.py': 'def test_works(): pass\n',
      'tests/test_b.py': 'import nowhere_at_all\n',
    });
    const { lines } = await run('pytest', 'python3 -m pytest -q');
    expect([...lines].sort()).toEqual(['error tests/test_b.py', 'passed tests/test_a.py > test_works']);
    expect(await readdir(tree)).not.toContain('.pytest_cache');
  },
  SLOW_MS,
);

it('a plain command is one id', async () => {
  expect((await run('command', 'exit 0')).lines).toEqual(['passed exit 0']);
  expect((await run('command', 'echo no >&2; exit 3')).results[0]?.message).toBe('exit code 3\nno');
});

it('TAP is read from what a command prints, and so is the rest of the line', async () => {
  const { lines, exitCode } = await run('tap', 'echo 1..2; echo ok 1 - a; echo not ok 2 - b # done');
  expect(lines).toEqual(['passed a', 'failed b']);
  expect(exitCode).toBe(0);
});
