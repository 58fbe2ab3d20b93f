import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../support/cli.ts';
import { makeRepo } from '../support/git-fixture.ts';

const TEST = "import { test } from 'node:test';\ntest('adds', () => undefined);\n";
const RED = "import { test } from 'node:test';\ntest('is late', () => { throw new Error('not yet'); });\n";
const manifest = (scripts: Readonly<Record<string, string>>, more: object = {}) =>
  JSON.stringify({ name: 'shop', type: 'module', scripts, ...more });
const CONFIG = `# Ours.
project: { name: shop }
testing:
  full: ./gone.sh  # 3 tests
  runner: command
  sanity:
    build: exit 3
quality:
  lint_command: ./no-linter
`;
const readConfig = (dir: string) => readFileSync(join(dir, '.harness.yaml'), 'utf8');

describe.concurrent('init tries what it found out', () => {
  it('and writes what it saw of each command beside it', async () => {
    const dir = makeRepo({
      'package.json': manifest({ test: 'node --test', build: 'node -e 0', typecheck: 'node -e 0' }),
      'test/a.test.js': TEST,
      'test/b.test.js': RED,
    });
    const { code, stderr, stdout } = await runCli(dir, ['init']);
    expect(code).toBe(0);
    expect(stderr).toContain('trying: node --test');
    expect(stdout).toContain('Tests:    node --test (2 tests, 1 red, ');
    const config = readConfig(dir);
    expect(config).toMatch(/^ {2}full: node --test {2}# 2 tests, 1 red, [\d.]+ s, node:test report$/m);
    expect(config).toMatch(/^ {4}type_check: npm run typecheck {2}# [\d.]+ s$/m);
    expect(config).toMatch(/^ {4}build: npm run build {2}# [\d.]+ s$/m);
  });

  it('and leaves out a type check that is red and a build that cannot be started, saying so', async () => {
    const dir = makeRepo({
      'package.json': manifest({
        test: 'node --test',
        build: 'no-such-program',
        typecheck: 'echo "error: no" && exit 3',
      }),
      'test/a.test.js': TEST,
    });
    const { stdout } = await runCli(dir, ['init']);
    expect(stdout).toContain('Left out: build: npm run build: ');
    const config = readConfig(dir);
    expect(config).toContain('# type check: npm run typecheck is left out: exit 3: error: no\n');
    expect(config).toMatch(/^# build: npm run build is left out: exit 127: .*no-such-program: .*not found$/m);
    expect(config).not.toContain('sanity:');
  });

  it('and says of a suite without tests that there are none', async () => {
    const dir = makeRepo({ 'package.json': manifest({ test: 'node --test test/*.js' }), 'index.js': '' });
    const { stdout } = await runCli(dir, ['init']);
    expect(stdout).toMatch(/Tests: {4}node --test .*\(0 tests: /);
    expect(readConfig(dir)).toMatch(/full: node --test test\/\*\.js {2}# 0 tests: /);
  });

  it('and writes no command that gave nothing, with the line that tells why', async () => {
    const dir = makeRepo({ 'package.json': manifest({ test: 'moccha' }), 'index.js': '' });
    const { code, stdout } = await runCli(dir, ['init']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Left out: tests: npm test: exit 127: .*moccha: .*not found/);
    expect(readConfig(dir)).not.toMatch(/^testing:/m);
  });

  it('and goes on without an install that fails', async () => {
    const dir = makeRepo({
      'package.json': manifest({ test: 'node --test' }, { dependencies: { gone: 'file:./gone.tgz' } }),
      'test/a.test.js': TEST,
    });
    await runCli(dir, ['init']);
    const config = readConfig(dir);
    expect(config).toMatch(/^# install: npm install --no-package-lock is left out: .*ENOENT/m);
    expect(config).toMatch(/full: node --test {2}# 1 test, /);
    expect(config).not.toContain('environment:');
  });

  it('but not with --no-run, as a dry run, or where nothing is committed', async () => {
    const dir = makeRepo({ 'package.json': manifest({ test: 'node --test', build: 'exit 1' }) });
    const dry = await runCli(dir, ['init', '--dry-run']);
    const { stderr } = await runCli(dir, ['init', '--no-run']);
    expect(dry.stderr + stderr).not.toContain('trying');
    expect(readConfig(dir)).toMatch(/full: node --test$/m);
    expect(readConfig(dir)).toMatch(/build: npm run build$/m);
  });

  it('and says where the proof is weaker, and how to make it stronger', async () => {
    const dir = makeRepo({
      'package.json': manifest({ test: './run-all' }),
      'run-all': '#!/bin/sh\nexit 0\n',
    });
    const { detected } = await runJson<{ detected: { notes: string[] } }>(dir, ['init', '--no-run']);
    expect(detected.notes.join()).toContain('testing.report');
    expect(readConfig(dir)).toContain('# Only the exit code of the tests is read, which proves less');
  });
});

describe.concurrent('doctor tries the configured commands again', () => {
  const make = (config: string) =>
    makeRepo({
      'package.json': manifest({ test: 'node --test' }),
      'test/a.test.js': TEST,
      '.harness.yaml': config,
      'features.json': '{ "project": "shop", "features": [] }\n',
    });

  it('and proposes others for those that give no result', async () => {
    const dir = make(CONFIG);
    const { code, stdout } = await runCli(dir, ['doctor', '--trial']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/fail {2}suite {8}tests: \.\/gone\.sh is left out: exit 127: /);
    expect(stdout).toContain('fix: set testing.full to: node --test');
    expect(stdout).toContain('fix: leave quality.lint_command out');
    expect(stdout).toMatch(/ok {4}build {8}exit 3: exit 3: /);
    expect(readConfig(dir)).toBe(CONFIG);
  });

  it('and applies that with --fix, in every other byte as it was', async () => {
    const dir = make(CONFIG);
    await runCli(dir, ['doctor', '--fix']);
    expect(readConfig(dir)).toMatch(
      /^# Ours\.\nproject: \{ name: shop \}\ntesting:\n {2}full: node --test # 1 test, [\d.]+ s, node:test report\n {2}runner: node\n {2}sanity:\n {4}build: exit 3\nquality: \{\}\n$/,
    );
    const { stdout } = await runCli(dir, ['doctor', '--trial']);
    expect(stdout).toMatch(/ok {4}suite {8}node --test: 1 test, /);
  });

  it('and without being asked runs none of them', async () => {
    const { stdout, stderr } = await runCli(make(CONFIG), ['doctor']);
    expect(`${stdout}${stderr}`).not.toMatch(/trying|is left out/);
  });
});
