import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeRepo, makeTempDir, takeImage } from '../support/git-fixture.ts';

const NODE_PROJECT = {
  'package.json':
    '{ "name": "shop", "scripts": { "test": "vitest run" }, "devDependencies": { "vitest": "4" } }\n',
  'package-lock.json': '{}\n',
};

describe.concurrent('init', () => {
  it('writes a config that fits the project, an empty backlog and a hidden state directory', async () => {
    const dir = makeRepo(NODE_PROJECT);
    const { code, stdout } = await runCli(dir, ['init', '--no-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('vitest');
    expect(stdout).toContain('git add .harness.yaml features.json && git commit');
    expect(readFileSync(join(dir, '.harness.yaml'), 'utf8')).toContain('install: npm ci');
    expect(JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'))).toMatchObject({
      project: 'shop',
      features: [],
    });
    expect(git(dir, 'status', '--porcelain')).toBe('?? .harness.yaml\n?? features.json');
    expect(await runJson(dir, ['add', 'Buy', '--test-file', 'buy.test.js'])).toMatchObject({
      added: { id: '1' },
    });
  });

  it('names the agent that it is told', async () => {
    const dir = makeRepo(NODE_PROJECT);
    await runCli(dir, ['init', '--no-run', '--agent', 'codex']);
    expect(readFileSync(join(dir, '.harness.yaml'), 'utf8')).toContain('provider: codex');
  });

  it('says which program of the proposed commands is not installed, and leaves it out of the config', async () => {
    const dir = makeRepo({ 'pyproject.toml': '[project]\nname = "api"\ndev = ["pytest"]\n', 'uv.lock': '' });
    const bin = makeTempDir();
    symlinkSync(execFileSync('which', ['git']).toString().trim(), join(bin, 'git'));
    const { stdout } = await runCli(dir, ['init', '--no-run'], { PATH: bin });
    expect(stdout).toContain('uv is not installed here');
    expect(readFileSync(join(dir, '.harness.yaml'), 'utf8')).not.toContain('not installed');
  });

  it('run again changes nothing and says so', async () => {
    const dir = makeRepo(NODE_PROJECT);
    await runCli(dir, ['init', '--no-run']);
    const before = takeImage(dir);
    const { stdout } = await runCli(dir, ['init', '--no-run']);
    expect(stdout).toContain('Nothing to do');
    expect(takeImage(dir)).toEqual(before);
  });

  it('never overwrites what is there', async () => {
    const dir = makeProject();
    const before = takeImage(dir, path => path === '.harness');
    expect(await runJson(dir, ['init'])).toMatchObject({
      written: [],
      kept: ['.harness.yaml', 'features.json'],
    });
    expect(takeImage(dir, path => path === '.harness')).toEqual(before);
  });

  it('as a dry run prints what it would write and writes nothing', async () => {
    const dir = makeRepo(NODE_PROJECT);
    const before = takeImage(dir);
    const { stdout } = await runCli(dir, ['init', '--dry-run']);
    expect(stdout).toContain('full: npx vitest run');
    expect(stdout).toContain('No changes made.');
    expect(takeImage(dir)).toEqual(before);
  });

  it('works where nothing is recognised and nothing is committed, and says what to fill in', async () => {
    const dir = makeTempDir();
    git(dir, 'init', '-q', '-b', 'main');
    const { code, stdout } = await runCli(dir, ['init', '--no-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('set testing.full');
    const added = await runCli(dir, ['add', 'First', '--validation', 'true']);
    expect(added.stdout).toContain('added task 1');
    git(dir, 'add', '-A');
    git(dir, 'commit', '-q', '-m', 'Start');
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '1', title: 'First' } });
  });
});

describe.concurrent('add', () => {
  it('commits settings that were changed too: a proof by settings that no commit holds cannot be made again', async () => {
    const dir = makeProject();
    git(dir, 'config', 'user.name', 'Ann');
    git(dir, 'config', 'user.email', 'ann@example.com');
    const config = readFileSync(join(dir, '.harness.yaml'), 'utf8');
    writeFileSync(join(dir, '.harness.yaml'), `${config}\n# changed\n`);
    const { code, stdout, stderr } = await runCli(dir, ['add', 'Fifth', '--validation', 'true', '--commit']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('.harness.yaml');
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  it('appends in the formatting of the file and leaves every other byte', async () => {
    const dir = makeProject();
    chmodSync(join(dir, 'features.json'), 0o600);
    const before = readFileSync(join(dir, 'features.json'), 'utf8');
    const flags = [
      '--test-file',
      'test/four.sh',
      '--depends-on',
      '1,3',
      '--priority',
      'P1',
      '--step',
      'a',
      '--step',
      'b',
    ];
    const { stdout } = await runCli(dir, [
      'add',
      'Thing 4 exists',
      ...flags,
      '--size',
      'small',
      '--category',
      'core',
    ]);
    expect(stdout).toContain('git add features.json && git commit -m "Plan: Thing 4 exists"');
    const after = readFileSync(join(dir, 'features.json'), 'utf8');
    expect(after.startsWith(before.slice(0, before.indexOf('\n  ]')))).toBe(true);
    expect(JSON.parse(after).features[3]).toEqual({
      id: 4,
      category: 'core',
      description: 'Thing 4 exists',
      test_file: 'test/four.sh',
      verification_steps: ['a', 'b'],
      size_estimate: 'small',
      priority: 'P1',
      depends_on: [1, 3],
      passes: false,
    });
    expect(statSync(join(dir, 'features.json')).mode & 0o777).toBe(0o600);
  });

  it('several at once all get in', async () => {
    const dir = makeProject({ 'features.json': getBacklog([]) });
    const titles = Array.from({ length: 6 }, (_, i) => `Task ${i}`);
    await Promise.all(titles.map(title => runCli(dir, ['add', title, '--test-file', 'x.sh'])));
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    expect(features.map((feature: { description: string }) => feature.description).sort()).toEqual(titles);
    expect(new Set(features.map((feature: { id: number }) => feature.id)).size).toBe(6);
  });

  it('waits for its turn while another holds the file', async () => {
    const dir = makeProject();
    await runCli(dir, ['status']);
    const store = await openStore({ stateDir: join(dir, '.harness') });
    const turn = await store.acquire({ resource: 'backlog-file', owner: 'somebody', ttlMs: 60_000 });
    const adding = runCli(dir, ['add', 'Late', '--test-file', 'late.sh']);
    await Promise.race([adding, new Promise(resolve => setTimeout(resolve, 1_000))]);
    expect(readFileSync(join(dir, 'features.json'), 'utf8')).not.toContain('Late');
    if (turn.ok) await store.release(turn.lease);
    await adding;
    await store.close();
    expect(readFileSync(join(dir, 'features.json'), 'utf8')).toContain('Late');
  });

  it('from a subfolder or another folder names the right file to commit', async () => {
    const dir = makeProject();
    mkdirSync(join(dir, 'sub'));
    const inside = await runCli(join(dir, 'sub'), ['add', 'A', '--test-file', 'a.sh']);
    expect(inside.stdout).toContain('git add ../features.json && git commit');
    const outside = await runCli(makeTempDir(), ['add', 'B', '--test-file', 'b.sh', '--repo', dir]);
    expect(outside.stdout).toContain(`git -C ${dir} add features.json && git -C ${dir} commit`);
  });

  it('is told apart from what runs until it is committed', async () => {
    const dir = makeProject();
    await runCli(dir, ['add', 'Urgent', '--test-file', 'u.sh', '--priority', 'P0']);
    const before = await runJson<{ next: { id: string }; hints: string[] }>(dir, ['next']);
    expect(before).toMatchObject({
      next: { id: '1' },
      hints: [expect.stringContaining('only what is committed runs')],
    });
    commit(dir, { 'features.json': readFileSync(join(dir, 'features.json'), 'utf8') });
    expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '4' }, hints: [] });
  });
});
