import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeRepo } from '../support/git-fixture.ts';

const BACKLOG = getBacklog([{ id: 1, description: 'Thing 1', test_file: 'test/thing-1.sh', passes: false }]);
const WORK = '{ edit: { file: src/1.txt, content: "1" } }, { claim: done }';
const HONEST = `tasks:\n  "1": [${WORK}]\n`;
const BREAKS = `tasks:\n  "1": [{ edit: { file: src/greeting.txt, content: "bye" } }, ${WORK}]\n`;

/** The suite holds the greeting against what is in a file that git does not have as it is. */
const getFiles = (expected: string, agent: string) => ({
  'agent.yaml': agent,
  'features.json': BACKLOG,
  'src/greeting.txt': 'hello\n',
  'test/all.sh': `cmp src/greeting.txt ${expected}\n`,
});

function makeFiltered(agent: string): string {
  const dir = makeProject({
    ...getFiles('data/greeting.sealed', agent),
    '.gitattributes': '*.sealed filter=rot\n',
  });
  for (const side of ['clean', 'smudge']) git(dir, 'config', `filter.rot.${side}`, `tr 'a-z' 'n-za-m'`);
  commit(dir, { 'data/greeting.sealed': 'hello\n' });
  expect(git(dir, 'cat-file', '-p', 'HEAD:data/greeting.sealed')).toBe('uryyb');
  return dir;
}

function makeWithSubmodule(agent: string): string {
  const dir = makeProject(getFiles('vendor/words/greeting.txt', agent));
  git(dir, 'submodule', '--quiet', 'add', makeRepo({ 'greeting.txt': 'hello\n' }), 'vendor/words');
  git(dir, 'commit', '-q', '-m', 'words');
  return dir;
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 6\n`;

/** A clone that has none of the contents that Git LFS keeps. */
const makeLfs = (config = CONFIG) =>
  makeProject({
    ...getFiles('data/greeting.bin', HONEST),
    '.harness.yaml': config,
    '.gitattributes': '*.bin filter=lfs -text\n',
    'data/greeting.bin': POINTER,
  });

interface End {
  readonly attempts: readonly { readonly outcome: string; readonly reason: string }[];
}

describe.concurrent('a tree that git does not have as a whole', () => {
  it.each([
    ['a filter', makeFiltered],
    ['a submodule', makeWithSubmodule],
  ])('lets nothing land that breaks what a test behind %s covers, and honest work does', async (_, make) => {
    const broken = make(BREAKS);
    const end = await runJson<End>(broken, ['run', '--max-sessions', '1']);
    expect(end.attempts).toMatchObject([
      { outcome: 'rejected', reason: expect.stringContaining('pass-to-pass') },
    ]);
    const sound = make(HONEST);
    const before = git(sound, 'ls-tree', '-r', 'HEAD', 'data', 'vendor');
    expect((await runCli(sound, ['run', '--all'])).code).toBe(0);
    expect(git(sound, 'ls-tree', '-r', 'HEAD', 'data', 'vendor')).toBe(before);
    expect(git(sound, 'status', '--porcelain', '-uno')).toBe('');
    const { stdout } = await runCli(sound, ['proof', '1']);
    expect(stdout).not.toContain('not whole');
    expect((await runCli(sound, ['verify', '1'])).code).toBe(0);
  });

  it('is asked about before anybody is paid, with the path and what to do', async () => {
    const dir = makeLfs();
    const run = await runCli(dir, ['run', '--all']);
    expect(run.code).not.toBe(0);
    const { stdout } = await runCli(dir, ['inbox']);
    expect(stdout).toContain('data/greeting.bin');
    expect(stdout).toContain('git lfs pull');
    expect((await runCli(dir, ['log'])).stdout).not.toContain('session.started');
    expect(git(dir, 'log', '--oneline', '--grep=Harness-Task')).toBe('');
    const verified = await runCli(dir, ['verify', '1']);
    expect(verified.code).not.toBe(0);
  });

  it('says so on the first line of the proof where a person has accepted it', async () => {
    const dir = makeLfs(`${CONFIG}environment: { accept_unfilled: ['data/*.bin'] }\n`);
    // It lands; that the suite is red at the end, as it was all along, is a question.
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const { stdout } = await runCli(dir, ['proof', '1']);
    expect(stdout.split('\n')[0]).toContain('on a tree that was not whole: without data/greeting.bin');
    expect(await runJson(dir, ['proof', '1'])).toMatchObject({
      record: { unfilled: ['data/greeting.bin'] },
    });
  });

  it('is whole where the install fills it, each time it is laid out', async () => {
    const dir = makeLfs(`${CONFIG}environment: { install: 'cp src/greeting.txt data/greeting.bin' }\n`);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect((await runCli(dir, ['proof', '1'])).stdout).not.toContain('not whole');
    expect(git(dir, 'cat-file', '-p', 'HEAD:data/greeting.bin')).toBe(POINTER.trimEnd());
  });

  it('needs no network: the submodule that is gone from the clone is named', async () => {
    const dir = makeWithSubmodule(HONEST);
    rmSync(join(dir, '.git/modules'), { recursive: true });
    rmSync(join(dir, 'vendor/words'), { recursive: true });
    await runCli(dir, ['run', '--all']);
    expect((await runCli(dir, ['inbox'])).stdout).toMatch(/vendor\/words .*git submodule update --init/s);
  });
});

/** The suite needs settings that git ignores: without them it is red, and guards nothing. */
function makeWithSettings(
  agent: string,
  { config = CONFIG, suite = 'cmp src/greeting.txt local.conf\n' } = {},
) {
  const dir = makeProject({
    ...getFiles('', agent),
    'test/all.sh': suite,
    '.gitignore': '/local.conf\n/other.log\n',
    '.harness.yaml': config,
  });
  writeFileSync(join(dir, 'local.conf'), 'hello\n');
  writeFileSync(join(dir, 'other.log'), 'seen by nobody\n');
  return dir;
}

describe.concurrent('a test that passes only with what the checkout alone has', () => {
  it('is asked about before anybody is paid, with the file it opens, and the checkout stays as it is', async () => {
    const dir = makeWithSettings(BREAKS);
    expect((await runCli(dir, ['run', '--all'])).code).not.toBe(0);
    const { stdout } = await runCli(dir, ['inbox']);
    expect(stdout).toContain('local.conf (only your checkout has it');
    expect(stdout).not.toContain('other.log');
    expect((await runCli(dir, ['log'])).stdout).not.toContain('session.started');
    expect(git(dir, 'status', '--porcelain', '--ignored')).toContain('!! local.conf');
  });

  it('guards once the file is committed, or made by the install', async () => {
    const dir = makeWithSettings(BREAKS);
    await runCli(dir, ['run', '--all']);
    git(dir, 'add', '-f', 'local.conf');
    git(dir, 'commit', '-q', '-m', 'settings');
    const end = await runJson<End>(dir, ['run', '--max-sessions', '1']);
    expect(end.attempts).toMatchObject([
      { outcome: 'rejected', reason: expect.stringContaining('pass-to-pass') },
    ]);
    const installed = makeWithSettings(HONEST, {
      config: `${CONFIG}environment: { install: 'echo hello > local.conf' }\n`,
    });
    expect((await runCli(installed, ['run', '--all'])).code).toBe(0);
  });

  it('is named on the first line of the proof where a person has accepted it', async () => {
    const dir = makeWithSettings(HONEST, {
      config: `${CONFIG}environment: { accept_unfilled: ['*.conf'] }\n`,
    });
    // It lands; that the suite is red at the end, as it was all along, is a question.
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const { stdout } = await runCli(dir, ['proof', '1']);
    expect(stdout.split('\n')[0]).toContain('on a tree that was not whole: without local.conf');
  });

  it('is an old failure like any other where those files change nothing', async () => {
    const dir = makeWithSettings(HONEST, { suite: 'cat other.log; exit 1\n' });
    const { stdout } = await runCli(dir, ['run', '--max-sessions', '1']);
    expect(stdout).toContain('1 landed, 0 rejected');
  });
});
