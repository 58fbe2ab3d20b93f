import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isOwnEntry } from '../../src/adapters/artifacts/state-dir.ts';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir, write } from '../support/git-fixture.ts';

const REFUSED = /paths\.state_dir/;

it.each([
  ['a folder of sources', { 'src/sessions/add.js': '1\n' }, 'src'],
  ['a folder of files that git has not', {}, 'notes'],
])('a state directory that is %s is refused, and nothing is written there', async (_, files, folder) => {
  const dir = makeProject({ ...files, '.harness.yaml': `${CONFIG}paths: { state_dir: ${folder} }\n` });
  write(dir, { [`${folder}/untracked.txt`]: 'x\n' });
  const before = readdirSync(join(dir, folder));
  const cases = [
    { args: ['run', '--all'], exit: 2 },
    { args: ['doctor'], exit: 1 },
    { args: ['init'], exit: 2 },
    { args: ['abort', '--clear', '--yes'], exit: 2 },
  ];
  for (const { args, exit } of cases) {
    const { code, stdout, stderr } = await runCli(dir, args);
    expect([args[0], code, `${stdout}${stderr}`]).toEqual([args[0], exit, expect.stringMatching(REFUSED)]);
  }
  expect(readdirSync(join(dir, folder))).toEqual(before);
});

it('a state directory of its own is taken, with what people keep there and what others keep in the usual one', async () => {
  const own = makeProject({
    '.harness.yaml': `${CONFIG}paths: { state_dir: records }\n`,
    'records/held-out/1.test.sh': 'true\n',
    'records/.gitkeep': '',
  });
  expect((await runCli(own, ['run'])).code).toBe(0);
  expect((await runCli(own, ['run'])).code).toBe(0);
  const usual = makeProject({ '.harness/tasks.json': '[]\n', '.harness/config.json': '{}\n' });
  expect((await runCli(usual, ['run'])).code).toBe(0);
});

it('clearing takes what was recorded and nothing else', async () => {
  const dir = makeProject({ '.harness/mynotes.md': 'mine\n', '.harness/logs/kept.txt': 'mine\n' });
  write(dir, { '.harness/loose.txt': 'mine\n' });
  expect((await runCli(dir, ['run'])).code).toBe(0);
  const people = ['.gitignore', 'loose.txt', 'mynotes.md'];
  const names = readdirSync(join(dir, '.harness')).filter(name => !people.includes(name));
  expect(names.filter(name => !isOwnEntry(name))).toEqual([]);
  const { backup } = await runJson<{ backup: string }>(dir, ['abort', '--clear', '--yes']);
  expect(git(dir, 'status', '--porcelain')).toBe('');
  expect(readdirSync(join(dir, '.harness')).sort()).toEqual([...people, 'backups', 'logs'].sort());
  expect(readdirSync(join(dir, '.harness/logs'))).toEqual(['kept.txt']);
  expect(existsSync(join(backup, 'logs/events.jsonl'))).toBe(true);
  expect(existsSync(join(backup, 'store.db'))).toBe(true);
});

it('a link to a folder with other files is none for records', async () => {
  const dir = makeProject();
  const folder = makeTempDir();
  write(folder, { 'thesis.txt': 'mine\n' });
  symlinkSync(folder, join(dir, '.harness'));
  const { code, stderr } = await runCli(dir, ['run']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(REFUSED)]);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});
