import { readdirSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { CONFIG, commit, makeProject, runCli, runJson } from '../support/cli.ts';
import { makeNewer, makeOlder } from '../support/store-schema.ts';

let dir = '';
beforeEach(async () => {
  dir = makeProject();
  await runCli(dir, ['run']);
});

const listBackups = () => readdirSync(dir).filter(name => name.startsWith('.harness.backup.'));

it('newer records with `warn` are worked on by every command, and each says so', async () => {
  makeNewer(dir);
  commit(dir, { '.harness.yaml': `${CONFIG}compatibility: { on_newer_state: warn }\n` });
  for (const args of [['status'], ['next'], ['health'], ['log'], ['report'], ['migrate'], ['run']]) {
    const { code, stderr } = await runCli(dir, args);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(stderr).toContain('was written by Harness 0.9.9 (schema 9)');
  }
  expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 2 } });
});

it('newer records are refused by every command else', async () => {
  makeNewer(dir);
  for (const args of [['status'], ['next'], ['health'], ['log'], ['report'], ['migrate'], ['run']]) {
    const { code, stderr } = await runCli(dir, args);
    expect([args[0], code]).not.toEqual([args[0], 0]);
    expect(stderr).toMatch(/schema 9|0\.9\.9/);
  }
});

it('whoever migrates older records on the way says so, and where the copy is', async () => {
  makeOlder(dir);
  const { code, stderr } = await runCli(dir, ['run']);
  expect(code).toBe(0);
  expect(stderr).toContain('the records were migrated from schema v1 to v3');
  const [copy = 'none'] = listBackups();
  expect(stderr).toContain(copy);
});
