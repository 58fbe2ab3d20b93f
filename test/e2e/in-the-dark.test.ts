import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { SHELL_ENV } from '../support/git-fixture.ts';

const getProject = (install: string, seconds = 600) => {
  const environment = JSON.stringify({ install, timeout_seconds: seconds });
  return makeProject({ '.harness.yaml': `${CONFIG}environment: ${environment}\n` });
};

it('a slow install is seen while it runs, with its last line', async () => {
  const { stderr } = await runCli(getProject('echo fetching a lot; sleep 4'), ['run']);
  expect(stderr).toMatch(/0:0\d {2}task 1, preflight: echo fetching a lot; sleep 4 {2}\| fetching a lot/);
});

it('a time-out is called one, and the line that tells comes first', async () => {
  const { stderr } = await runCli(getProject('sleep 30', 1), ['run']);
  expect(stderr).toContain('environment.install failed (it ran out of time after 1 s');
  const failed = await runCli(
    getProject(
      'echo npm warn old >&2; echo npm error code E404 >&2; echo npm error 404 no such thing >&2; exit 1',
    ),
    ['run'],
  );
  const [reason = ''] = failed.stderr.split('\n').filter(line => line.startsWith('✘'));
  expect(reason).toMatch(/failed \(exit 1.*: npm error 404 no such thing/);
});

it('Ctrl-C says what was running and how to go on, and charges nobody', async () => {
  const dir = getProject('sleep 60');
  const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(dir), 'cache') };
  const child = spawn(process.execPath, [inject('harnessProgram'), 'run'], { cwd: dir, env });
  let stderr = '';
  child.stderr.on('data', chunk => {
    const before = stderr;
    stderr += String(chunk);
    if (!before.includes('sleep 60') && stderr.includes('sleep 60')) child.kill('SIGINT');
  });
  const code = await new Promise(resolve => child.on('close', resolve));
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/interrupted while sleep 60 was running \(0:\d\d\)/),
  ]);
  expect(stderr).toContain('next: harness run continues where it stopped');
  const { tasks } = await runJson<{ tasks: { attempts: number }[] }>(dir, ['status', '--all']);
  expect(tasks[0]?.attempts).toBe(0);
});
