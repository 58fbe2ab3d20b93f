import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { listChildCommands } from './child-commands.ts';
import { getProcessTable } from './proc.ts';

it.runIf(getProcessTable().kind === 'proc')('a shell and its subshell are one command', async () => {
  const dir = makeTempDir();
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  const child = spawn('sh', ['-c', '(touch begun; read line < pipe) & wait; true'], { cwd: dir });
  while (!existsSync(join(dir, 'begun'))) await sleep(10);
  const commands = listChildCommands(process.pid).filter(({ command }) => command.includes('read line'));
  writeFileSync(join(dir, 'pipe'), 'go\n');
  await new Promise(resolve => child.on('exit', resolve));
  expect(commands).toHaveLength(1);
});
