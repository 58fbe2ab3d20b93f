import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getWrapperScript } from '../../src/adapters/sandbox/sandbox.ts';
import { hasBwrap, openStage, readCommandLines, type Stage } from './stage.ts';

describe.skipIf(!hasBwrap)('an agent in the sandbox', () => {
  let stage: Stage;
  let victim: ChildProcess;
  beforeAll(async () => {
    stage = await openStage();
    victim = spawn('sleep', ['300.471'], { detached: true, stdio: 'ignore' });
  });
  afterAll(() => {
    victim.kill('SIGKILL');
    stage.close();
  });

  const attack = (script: string) => stage.attack(script, { env: { VICTIM: String(victim.pid) } });
  const isAlive = () => victim.exitCode === null && victim.signalCode === null;

  it.each([
    ['by its number', 'kill -9 $VICTIM $HOST_PID'],
    ['by its group', 'kill -9 -- -$VICTIM; kill -9 0'],
    ['all at once', 'kill -9 -1'],
    ['its parent', 'kill -9 $PPID; kill -9 1; kill -TERM 1'],
    [
      'through a traced attach',
      `perl -e 'syscall(101, 16, $ENV{VICTIM}, 0, 0) == 0 and syscall(62, $ENV{VICTIM}, 9)'`,
    ],
    [
      'through its handle',
      `perl -e 'my $fd = syscall(434, $ENV{VICTIM} + 0, 0); syscall(424, $fd, 9, 0, 0) if $fd >= 0'`,
    ],
  ])('cannot end a process outside: %s', async (_, script) => {
    await attack(script);
    await sleep(20);
    expect(isAlive()).toBe(true);
  });

  it('cannot see processes outside', async () => {
    const { stdout } = await attack(
      'cat /proc/*/cmdline | tr "\\0" " "; ps -ef; ls -d /proc/[0-9]* | wc -l; echo it ran',
    );
    expect(stdout).toContain('it ran');
    expect(stdout).not.toContain('300.471');
    expect(readCommandLines()).toContain('300.471');
  });

  it('cannot use shared memory of processes outside', async () => {
    const create = `perl -e 'print defined shmget(0x48415231, 64, 0666 | 01000) ? "made" : "not"'`;
    const find = `perl -e 'print defined shmget(0x48415231, 64, 0) ? "found" : "none"'`;
    const drop = `perl -e 'shmctl(shmget(0x48415231, 64, 0), 0, 0)'`;
    expect((await stage.attackFreely(create)).stdout).toBe('made');
    expect((await attack(find)).stdout).toBe('none');
    expect((await stage.attackFreely(`${find}; ${drop}`)).stdout).toBe('found');
  });

  const DAEMON =
    'env -i setsid bash -c \'trap "" TERM HUP INT; while :; do sleep 271.828; done\' >/dev/null 2>&1 &';

  it('leaves no daemon behind when it ends', async () => {
    const result = await attack(
      `${DAEMON}\n(setsid setsid env -i sleep 271.828 >/dev/null 2>&1 &); sleep 0.2; echo done`,
    );
    expect(result).toMatchObject({ end: 'exited', exitCode: 0, stdout: 'done\n', survivors: 0 });
    expect(readCommandLines()).not.toContain('271.828');
  });

  it('leaves no daemon behind when its time is up', async () => {
    const result = await stage.attack(`${DAEMON}\ntrap '' TERM; sleep 271.828`, { timeoutMs: 600 });
    expect(result.end).toBe('timeout');
    expect(readCommandLines()).not.toContain('271.828');
  });

  it('is asked to end before it is made to', async () => {
    const script = `trap 'echo bye; exit 4' TERM; touch ready; sleep 271.828 & wait`;
    const stop = new AbortController();
    const running = stage.attack(script, { signal: stop.signal, graceMs: 20_000 });
    await waitFor(() => existsSync(join(stage.tree, 'ready')));
    stop.abort();
    expect(await running).toMatchObject({ end: 'aborted', exitCode: 4, stdout: 'bye\n' });
    expect(readCommandLines()).not.toContain('271.828');
  });

  it('ends at once when it is stopped', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 400);
    const result = await stage.attack('sleep 271.828', { signal: stop.signal });
    expect(result.end).toBe('aborted');
    expect(readCommandLines()).not.toContain('271.828');
  });

  it('dies with a harness that is killed, daemons and all', async () => {
    const box = join(stage.root, 'box');
    mkdirSync(box);
    const env = { PATH: process.env.PATH ?? '' };
    const script = `${DAEMON} touch up; sleep 271.828`;
    const wrapped = stage.sandbox.wrap({ file: 'bash', args: ['-c', script], cwd: stage.tree, env, box });
    writeFileSync(join(box, 'start'), getWrapperScript(wrapped), { mode: 0o755 });
    const code = `require('child_process').spawn(process.argv[1], { detached: true, stdio: 'ignore' }); setInterval(() => {}, 1e6);`;
    const harness = spawn(process.execPath, ['-e', code, join(box, 'start')], { stdio: 'ignore' });
    await waitFor(() => existsSync(join(stage.tree, 'up')));
    expect(readCommandLines()).toContain('sleep 271.828');
    harness.kill('SIGKILL');
    await waitFor(() => !readCommandLines().includes('271.828'));
  });
});

async function waitFor(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (isTrue()) return;
    await sleep(25);
  }
  throw new Error('it did not come to that');
}
