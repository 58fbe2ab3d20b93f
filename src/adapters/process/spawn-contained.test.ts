import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getEscapeLine, isRunning, readPidFile, useTempDir } from '../../../test/support/real-processes.ts';
import { getCleanEnv } from './clean-env.ts';
import { createRandom } from './random.ts';
import { type SpawnRequest, spawnContained } from './spawn-contained.ts';
import { getWithheld, TOOLCHAIN } from './toolchain.ts';

const owner = { workerId: 'w-spawntest', random: createRandom() };
const makeDir = useTempDir();

function run(script: string, more: Partial<SpawnRequest> = {}) {
  return spawnContained(owner, {
    file: 'sh',
    args: ['-c', script],
    cwd: makeDir(),
    timeoutMs: 20_000,
    graceMs: 100,
    ...more,
  });
}

describe('what a run leaves behind', () => {
  test('a setsid grandchild dies after the normal exit of its parent', async () => {
    const pidFile = join(makeDir(), 'pid');
    const result = await run(`${getEscapeLine(pidFile)}\nexit 3`);
    expect(result).toMatchObject({ end: 'exited', exitCode: 3, survivors: 0 });
    expect(result.killed).toBeGreaterThan(0);
    expect(isRunning(await readPidFile(pidFile))).toBe(false);
  });

  test('a setsid grandchild dies when the time is up', async () => {
    const pidFile = join(makeDir(), 'pid');
    const result = await run(`${getEscapeLine(pidFile)}\nsleep 300`, { timeoutMs: 1_500 });
    expect(result).toMatchObject({ end: 'timeout', exitCode: null, signal: 'SIGTERM', survivors: 0 });
    expect(isRunning(await readPidFile(pidFile))).toBe(false);
  });

  test('a setsid grandchild dies on abort', async () => {
    const pidFile = join(makeDir(), 'pid');
    const controller = new AbortController();
    const running = run(`${getEscapeLine(pidFile)}\nsleep 300`, { signal: controller.signal });
    const pid = await readPidFile(pidFile);
    expect(isRunning(pid)).toBe(true);
    controller.abort();
    expect(await running).toMatchObject({ end: 'aborted', survivors: 0 });
    expect(isRunning(pid)).toBe(false);
  });

  test('a member of the group that emptied its environment dies too', async () => {
    const pidFile = join(makeDir(), 'pid');
    await run(
      `env -i /bin/sh -c 'echo $$ > ${pidFile}; exec /bin/sleep 300' & while [ ! -s ${pidFile} ]; do sleep 0.01; done`,
    );
    expect(isRunning(await readPidFile(pidFile))).toBe(false);
  });

  test('a process that ignores SIGTERM is killed after the grace', async () => {
    const result = await run(`trap '' TERM; while :; do sleep 0.05; done`, { timeoutMs: 800 });
    expect(result).toMatchObject({ end: 'timeout', signal: 'SIGKILL', survivors: 0 });
  });

  test('the private TMPDIR goes with the run, a given one stays', async () => {
    const own = await run('echo $TMPDIR; echo x > $TMPDIR/file');
    expect(existsSync(own.stdout.trim())).toBe(false);
    const given = join(makeDir(), 'tmp');
    mkdirSync(given);
    expect((await run('echo $TMPDIR', { tmpDir: given })).stdout.trim()).toBe(given);
    expect(existsSync(given)).toBe(true);
  });
});

describe('what a run tells', () => {
  test('a slow but healthy command passes', async () => {
    expect(await run('for i in 1 2 3 4 5; do sleep 0.1; echo $i; done')).toMatchObject({
      end: 'exited',
      exitCode: 0,
      stdout: '1\n2\n3\n4\n5\n',
      killed: 0,
    });
  });

  test('stdout, stderr and both together come back', async () => {
    const result = await run('echo out; sleep 0.05; echo err >&2');
    expect(result).toMatchObject({ stdout: 'out\n', stderr: 'err\n', output: 'out\nerr\n' });
  });

  test('lines arrive whole, also when a character is cut by the writes', async () => {
    const lines: string[] = [];
    await run(`printf 'a\\303'; sleep 0.05; printf '\\274b\\nlast'`, {
      onStdoutLine: line => lines.push(line),
    });
    expect(lines).toEqual(['aüb', 'last']);
  });

  test('stdin holds the given text, and without one it is empty', async () => {
    expect((await run('cat', { stdin: 'grüße' })).stdout).toBe('grüße');
    expect((await run('cat; echo done')).stdout).toBe('done\n');
  });

  test('a child that never reads a long stdin is no error', async () => {
    expect(await run('exit 0', { stdin: 'x'.repeat(1_000_000) })).toMatchObject({
      end: 'exited',
      exitCode: 0,
    });
  });

  test('200 MB of output keep the caps and the memory', async () => {
    const before = process.memoryUsage().rss;
    const result = await run('echo start; head -c 200000000 /dev/zero; echo end');
    expect(result.output.length).toBeLessThan(1_200_000);
    expect(result.output.startsWith('start\n')).toBe(true);
    expect(result.output.endsWith('end\n')).toBe(true);
    expect(result.droppedBytes).toBe(200_000_010 - 64 * 1024 - 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(120_000_000);
  });

  test.each([
    ['a program that is not there', { file: '/no/such/program', args: [] }, /no\/such\/program/],
    ['a directory that is not there', { cwd: '/no/such/dir' }, /no such directory: \/no\/such\/dir/],
    ['an argument with a NUL byte', { args: ['a\0b'] }, /cannot start sh/],
  ])('%s is a result, not an exception', async (_what, more, message) => {
    const result = await run('true', more);
    expect(result).toMatchObject({ end: 'not-started', exitCode: null });
    expect(result.error).toMatch(message);
  });

  test('nothing is started for a signal that is already aborted', async () => {
    const file = join(makeDir(), 'file');
    expect(await run(`touch ${file}`, { signal: AbortSignal.abort() })).toMatchObject({ end: 'aborted' });
    expect(existsSync(file)).toBe(false);
  });

  test('an error in a line callback ends the run and comes back to the caller', async () => {
    const fail = () => {
      throw new Error('full');
    };
    await expect(run('echo x; sleep 300', { onStdoutLine: fail })).rejects.toThrow('full');
  });
});

test('a toolchain finds itself, and an address with a login in it stays behind', () => {
  const parent = {
    RUSTUP_HOME: '/opt/rust',
    GOFLAGS: '-mod=vendor',
    NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
    HTTPS_PROXY: 'http://proxy.example:3128',
    HTTP_PROXY: 'http://me:s3cret@proxy.example:3128',
    PIP_INDEX_URL: 'https://token@index.example/simple',
    GITHUB_TOKEN: 's3cret',
    GOCACHE: '/elsewhere',
  };
  const options = { marker: 'w:1', tmpDir: '/t' };
  const env = getCleanEnv(parent, options);
  expect(env).toMatchObject({ RUSTUP_HOME: '/opt/rust', GOFLAGS: '-mod=vendor' });
  expect(env).toMatchObject({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem', HTTPS_PROXY: parent.HTTPS_PROXY });
  for (const name of ['HTTP_PROXY', 'PIP_INDEX_URL', 'GITHUB_TOKEN', 'GOCACHE'])
    expect(env).not.toHaveProperty(name);
  expect(getWithheld(parent)).toEqual(['PIP_INDEX_URL', 'HTTP_PROXY']);
  expect(getCleanEnv(parent, { ...options, passEnv: ['HTTP_PROXY'] }).HTTP_PROXY).toBe(parent.HTTP_PROXY);
});

test('a child sees no secret of its parent, and only the names that may pass', async () => {
  process.env.SECRET_TOKEN = 's3cret';
  process.env.LET_THROUGH = 'yes';
  try {
    const result = await run('env', { passEnv: ['LET_THROUGH'], env: { GIVEN: '1' }, ci: true });
    const names = result.stdout.split('\n').map(line => line.split('=')[0] ?? '');
    const own = ['PATH', 'HOME', 'LANG', 'TZ', 'TERM', 'TMPDIR', 'CI', 'LET_THROUGH', 'GIVEN', 'HARNESS_RUN'];
    // The shell adds its own three.
    const added = ['PWD', 'OLDPWD', 'SHLVL', '_', ...TOOLCHAIN];
    expect(names.filter(name => name && !added.includes(name)).sort()).toEqual(own.sort());
    expect(result.stdout).toMatch(/HARNESS_RUN=(.*,)?w-spawntest:[0-9a-f]+\n/);
    expect(result.stdout).not.toContain('s3cret');
  } finally {
    delete process.env.SECRET_TOKEN;
    delete process.env.LET_THROUGH;
  }
});
