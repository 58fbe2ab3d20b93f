import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { createClock } from './clock.ts';
import { createRandom } from './random.ts';
import { createShell, getShellCommand } from './shell.ts';

const makeDir = useTempDir();
const shell = createShell({
  workerId: 'w-shelltest',
  random: createRandom(),
  ci: true,
  maxOutputBytes: 1_000,
  graceMs: 100,
});

function run(command: string, timeoutMs = 20_000) {
  return shell.run({ command, cwd: makeDir(), timeoutMs, env: { GIVEN: 'yes' } });
}

test('a command line runs in its directory with its variables', async () => {
  expect(await run('echo $GIVEN $CI; basename $PWD | cut -c1-13')).toMatchObject({
    exitCode: 0,
    timedOut: false,
    output: 'yes true\nharness-test-\n',
  });
});

test.each([
  ['exit 7', 7],
  ['false | true', 0],
  ['kill -9 $$', null],
])('%s ends with %s', async (command, exitCode) => {
  expect(await run(command)).toMatchObject({ exitCode, timedOut: false });
});

test('a command that takes too long says so', async () => {
  expect(await run('sleep 300', 100)).toMatchObject({ exitCode: null, timedOut: true });
});

test('of a very long output the last part stays', async () => {
  const { output } = await run('seq 1 10000');
  expect(output).toMatch(/^\n\[… \d+ bytes left out …\]\n/);
  expect(output.endsWith('9999\n10000\n')).toBe(true);
});

test('a directory that is not there is told in the output', async () => {
  const result = await shell.run({ command: 'true', cwd: '/no/such/dir', timeoutMs: 1_000 });
  expect(result).toMatchObject({ exitCode: null, output: 'no such directory: /no/such/dir' });
});

test('bash is used where there is one, sh elsewhere', () => {
  const dir = makeDir();
  expect(getShellCommand('true', dir)[0]).toBe('sh');
  writeFileSync(join(dir, 'bash'), '');
  expect(getShellCommand('true', `/nowhere:${dir}`)[0]).toBe('bash');
});

test('a sleep ends with the reason of its signal', async () => {
  const clock = createClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(clock.sleep(1, controller.signal)).rejects.toThrow('enough');
  await expect(clock.sleep(1)).resolves.toBeUndefined();
});

test('the .bashrc of whoever runs us is not read, though bash sees a socket', async () => {
  const home = makeDir();
  writeFileSync(join(home, '.bashrc'), 'echo from-bashrc; cd /');
  const { output } = await shell.run({
    command: 'echo ran',
    cwd: home,
    timeoutMs: 20_000,
    env: { HOME: home },
  });
  expect(output).toBe('ran\n');
});
