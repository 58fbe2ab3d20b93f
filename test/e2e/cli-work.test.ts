import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir, SHELL_ENV, takeImage, write } from '../support/git-fixture.ts';

describe.concurrent('next', () => {
  it('is what run then takes', async () => {
    const dir = makeProject();
    expect(await runJson(dir, ['next'])).toMatchObject({
      next: { id: '1', attempt: 1, testFile: 'test/thing-1.sh' },
    });
    expect(await runJson(dir, ['run'])).toMatchObject({ attempts: [{ task: '1', outcome: 'landed' }] });
    const { stdout } = await runCli(dir, ['next']);
    expect(stdout).toContain('Task 2');
    expect(stdout).toContain('all it builds on has landed (1)');
  });

  it.each([
    ['an empty backlog', [], 'empty'],
    ['all landed', [{ ...FEATURES[0]!, passes: true }], 'has landed'],
  ])('says why there is none: %s', async (_, features, why) => {
    const dir = makeProject({ 'features.json': getBacklog(features) });
    expect(await runJson(dir, ['next'])).toMatchObject({ next: null, why: expect.stringContaining(why) });
  });

  it('names what waits for a person', async () => {
    const dir = makeProject({ 'agent.yaml': 'tasks: { "*": [{ give_up: no }] }\n' });
    await runCli(dir, ['run', '--all']);
    expect(await runJson(dir, ['next'])).toMatchObject({
      next: null,
      why: expect.stringContaining('1 failed for good (harness reset), 2 wait for those'),
      waiting: [{ id: '1', status: 'failed' }],
    });
  });

  it('passes over a task that has spent its budget, as run does', async () => {
    const dir = makeProject({
      '.harness.yaml': `${CONFIG}costs: { per_feature_usd: 1 }\n`,
      'features.json': getBacklog(FEATURES.map(({ depends_on: _, ...feature }) => feature).slice(0, 2)),
      'agent.yaml': 'tasks: { "*": [{ burn: { cost_usd: 2 } }, { give_up: no }] }\n',
    });
    await runCli(dir, ['run', '--max-sessions', '2']);
    expect(await runJson(dir, ['next'])).toMatchObject({ next: null });
  });
});

describe.concurrent('run', () => {
  it('as a dry run shows the very prompt and changes nothing', async () => {
    const dir = makeProject();
    const before = takeImage(dirname(dir), path => path === 'cache');
    const plan = await runJson<{ prompt: string }>(dir, ['run', '--dry-run']);
    expect(plan).toMatchObject({ task: '1', promptType: 'coding', session: 1, costGuessUsd: null });
    const { stdout } = await runCli(dir, ['run', '--dry-run']);
    expect(stdout).toContain('no sessions yet');
    expect(stdout).toContain('No changes made.');
    expect(takeImage(dirname(dir), path => path === 'cache')).toEqual(before);
    write(dir, { '.harness.yaml': `${CONFIG}preflight: { checks: { baseline_tests: false } }\n` });
    await runCli(dir, ['run']);
    const sessions = join(dir, '.harness', 'sessions');
    const [transcript = ''] = readFileSync(join(sessions, readdirSync(sessions)[0] ?? ''), 'utf8').split(
      '\n',
    );
    expect(plan.prompt).toBe(JSON.parse(transcript).text);
  });

  it('of a task that has landed is done at once', async () => {
    const dir = makeProject();
    await runCli(dir, ['run', '--task', '1']);
    const { code, stdout } = await runCli(dir, ['run', '--task', '1']);
    expect(stdout).toContain('has landed already');
    expect(code).toBe(0);
  });

  it('guesses the cost from what sessions have cost', async () => {
    const agent = 'tasks: { "*": [{ burn: { cost_usd: 0.5 } }, { give_up: no }] }\n';
    const dir = makeProject({ 'agent.yaml': agent });
    await runCli(dir, ['run']);
    expect(await runJson(dir, ['run', '--dry-run'])).toMatchObject({ costGuessUsd: 0.5, attempt: 2 });
  });
});

describe.concurrent('status', () => {
  it('says what was used, by task and by what the sessions were for', async () => {
    const burn = '{ burn: { cost_usd: 0.5, input: 900, cached: 70 } }';
    const dir = makeProject({ 'agent.yaml': `tasks: { "*": [${burn}, { give_up: no }] }\n` });
    await runCli(dir, ['run']);
    const used = { costUsd: 0.5, inputTokens: 900, cachedTokens: 70 };
    const status = await runJson<{ tasks: unknown[] }>(dir, ['status']);
    expect(status).toMatchObject({ usage: used, byRole: { coding: { ...used, sessions: 1 } } });
    expect(status).toMatchObject({ lastSession: { role: 'coding', usage: used } });
    expect(status.tasks).toContainEqual(expect.objectContaining({ id: '1', sessions: 1, costUsd: 0.5 }));
    const costs = readFileSync(join(dir, '.harness', 'costs.yaml'), 'utf8');
    expect(costs).toMatch(/by_role:\n {4}- role: "coding"\n {6}cost_usd: 0\.5\n {6}sessions: 1\n/);
  });

  it('works while a run is at it, and tells a dead worker from a living one', async () => {
    const dir = makeProject({ 'agent.yaml': 'tasks: { "*": [{ hang: true }] }\n' });
    const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(dir), 'cache') };
    const running = spawn(process.execPath, [inject('harnessProgram'), 'run'], {
      cwd: dir,
      env,
      stdio: 'ignore',
    });
    type Active = { active: { task: string; stage: string; life: string }[] };
    let seen: Active = { active: [] };
    while (seen.active[0]?.stage !== 'in-session') seen = await runJson<Active>(dir, ['status']);
    expect(seen.active).toMatchObject([{ task: '1', stage: 'in-session', life: 'alive', pid: running.pid }]);
    running.kill('SIGKILL');
    await new Promise(resolve => running.once('close', resolve));
    expect(await runJson(dir, ['status'])).toMatchObject({ active: [{ task: '1', life: 'gone' }] });
    expect(await runJson(dir, ['next'])).toMatchObject({
      next: { id: '1' },
      why: expect.stringContaining('is gone'),
    });
    const doctor = await runJson<{ checks: unknown[] }>(dir, ['doctor']);
    expect(doctor.checks).toContainEqual(expect.objectContaining({ name: 'workers', status: 'warn' }));
    write(dir, { 'agent.yaml': 'tasks: { "*": [{ give_up: no }] }\n' });
    await runCli(dir, ['run', '--max-sessions', '1']);
  });

  it('says where finished work waits when the checkout is in the way', async () => {
    const dir = makeProject();
    write(dir, { 'test/all.sh': 'exit 0 # mine\n' });
    await runCli(dir, ['run']);
    const { hints } = await runJson<{ hints: string[] }>(dir, ['status']);
    expect(hints).toEqual([
      expect.stringContaining('git merge --ff-only --no-overwrite-ignore harness/landed'),
    ]);
  });

  it('right after init says that there is nothing yet', async () => {
    const dir = makeProject();
    git(dir, 'rm', '-q', '--cached', 'features.json');
    git(dir, 'commit', '-q', '-m', 'Without it');
    const { code, stdout } = await runCli(dir, ['status']);
    expect(code).toBe(0);
    expect(stdout).toContain('git add features.json');
  });

  it('leaves parted branches to the next run', async () => {
    const dir = makeProject();
    git(dir, 'branch', 'harness/landed');
    commit(dir, { 'a.txt': 'a' });
    git(dir, 'switch', '-q', 'harness/landed');
    commit(dir, { 'b.txt': 'b' });
    git(dir, 'switch', '-q', 'main');
    const before = git(dir, 'for-each-ref');
    const { stdout } = await runCli(dir, ['status']);
    expect(stdout).toContain('have diverged');
    expect(git(dir, 'for-each-ref')).toBe(before);
  });
});

describe.concurrent('verify', () => {
  it('proves what landed in a fresh clone, and leaves nothing behind there', async () => {
    const dir = makeProject();
    await runCli(dir, ['run']);
    const clone = join(makeTempDir(), 'clone');
    git(dir, 'clone', '-q', '.', clone);
    const { code, stdout } = await runCli(clone, ['verify', '1']);
    expect(stdout).toContain('fail-to-pass');
    expect(stdout).toContain('proven');
    expect(code).toBe(0);
    expect(existsSync(join(clone, '.harness'))).toBe(false);
  });

  it('finds out when what landed was tampered with', async () => {
    const dir = makeProject();
    await runCli(dir, ['run']);
    write(dir, { 'src/1.txt': '', 'test/thing-1.sh': 'exit 0\n' });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-q', '--amend', '--no-edit');
    const result = await runJson(dir, ['verify', '--feature', '1']);
    expect(result).toMatchObject({ kind: 'landed', passed: false, verdict: 'rejected' });
    expect((await runCli(dir, ['verify', '1'])).code).toBe(5);
  });

  it('judges the work of an attempt that did not land', async () => {
    const dir = makeProject({
      'agent.yaml': 'tasks: { "1": [{ edit: { file: x, content: x } }, { claim: done }] }\n',
    });
    await runCli(dir, ['run']);
    expect(await runJson(dir, ['verify', '1'])).toMatchObject({ kind: 'attempt', passed: false });
  });

  it('runs the tests of a task that nobody has worked on', async () => {
    const dir = makeProject({ 'src/2.txt': 'there already\n' });
    expect(await runJson(dir, ['verify', '2'])).toMatchObject({
      kind: 'tip',
      passed: true,
      verdict: 'passes',
    });
    expect(await runJson(dir, ['verify', '3'])).toMatchObject({ kind: 'tip', passed: false });
  });
});
