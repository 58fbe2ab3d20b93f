import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempDir, write } from '../../../test/support/git-fixture.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { checkImports, checkLintCommand, checkTestCommand } from './commands.ts';

/** A project whose Python knows one copy of the package, or none. */
function check(full: string | null, installed: string, files: Record<string, string> = {}) {
  const root = makeTempDir();
  const python = `#!/bin/sh\n${installed === '' ? '' : `echo ${installed}\n`}`;
  write(root, { 'src/api/__init__.py': '', 'venv/bin/python': python, ...files });
  chmodSync(join(root, 'venv/bin/python'), 0o755);
  const checkout = { config: { testing: { full } }, configFile: '.harness.yaml', gitDirs: { root } };
  return checkImports(checkout as unknown as Checkout);
}

const FULL = './venv/bin/python -m pytest';
const COPY = '/usr/lib/python3/site-packages/api/__init__.py';

it('tells of an installed copy that the tests would import instead of the tree', () => {
  expect(check(FULL, COPY)).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining(COPY),
    fix: `set testing.full in .harness.yaml to: PYTHONPATH=src ${FULL}`,
  });
  expect(check(FULL, '')).toMatchObject({ status: 'ok' });
});

it.each<[string, string | null, Record<string, string>]>([
  ['the command says where the code is', `PYTHONPATH=src ${FULL}`, {}],
  ['pytest is told where the code is', FULL, { 'pytest.ini': '[pytest]\npythonpath = src\n' }],
  ['a tool installs the tree itself', 'uv run pytest', {}],
  ['there is no test command', null, {}],
])('asks nothing when %s', (_, full, files) => {
  expect(check(full, COPY, files)).toBeNull();
});

it('tells of a linter that is not there', () => {
  const root = makeTempDir();
  const lint = (lint_command: string | null) =>
    checkLintCommand({
      config: { quality: { lint_command } },
      configFile: '.harness.yaml',
      gitDirs: { root },
    } as unknown as Checkout);
  expect([lint(null), lint('sh lint.sh')]).toEqual([null, null]);
  expect(lint('no-such-poetry run ruff check .')).toMatchObject({
    status: 'warn',
    fix: 'install no-such-poetry, or change quality.lint_command in .harness.yaml',
  });
});

it.each<[string, object, Record<string, string>, string]>([
  [
    'a runner behind npm test',
    { full: 'npm test' },
    { 'package.json': '{"scripts":{"test":"node --test"}}' },
    'node',
  ],
  ['a runner behind make', { full: 'make check' }, { Makefile: 'check:\n\tpytest -q\n' }, 'pytest'],
  [
    'one that is named',
    { full: 'npm test', runner: 'node' },
    { 'package.json': '{"scripts":{"test":"node --test"}}' },
    '',
  ],
  ['one that says it itself', { full: 'node --test' }, {}, ''],
  ['none that is known', { full: 'npm test' }, { 'package.json': '{"scripts":{"test":"sh test.sh"}}' }, ''],
])('tells of %s, of which only the exit code would be read', (_, testing, files, runner) => {
  const root = makeTempDir();
  write(root, files);
  const config = { testing: { feature: null, runner: null, report: null, ...testing } };
  const found = checkTestCommand({
    config,
    configFile: '.harness.yaml',
    gitDirs: { root },
  } as unknown as Checkout);
  expect(found.status === 'warn' ? found.detail : '').toMatch(
    runner === '' ? /^$/ : new RegExp(`set testing.runner to ${runner}`),
  );
});
