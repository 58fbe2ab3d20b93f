import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { getCleanEnv, getOwnStdio } from './clean-env.ts';

it('gives a child its three streams when nothing else is open', () => {
  expect(getOwnStdio(['ignore', 'pipe', 'pipe'], [])).toEqual(['ignore', 'pipe', 'pipe']);
});

it('lets descriptors of whoever started us lead nowhere in a child', () => {
  const dir = makeTempDir();
  writeFileSync(join(dir, 'secret.txt'), 'hush');
  const entry = join(dir, 'entry.mjs');
  const module = new URL('./clean-env.ts', import.meta.url).pathname;
  const build = `import { spawnSync } from 'node:child_process';
import { getOwnStdio } from ${JSON.stringify(module)};
const look = stdio => spawnSync('sh', ['-c', 'cat /proc/self/fd/88/secret.txt'], { stdio, encoding: 'utf8' }).stdout;
console.log(JSON.stringify([look(['ignore', 'pipe', 'pipe']), look(getOwnStdio(['ignore', 'pipe', 'pipe']))]));`;
  writeFileSync(join(dir, 'look.ts'), build);
  execFileSync(
    'npx',
    ['esbuild', join(dir, 'look.ts'), '--bundle', '--platform=node', '--format=esm', `--outfile=${entry}`],
    {
      stdio: 'pipe',
    },
  );
  const said = spawnSync('bash', ['-c', `exec node ${entry} 88<${dir}`], { encoding: 'utf8' });
  expect(JSON.parse(said.stdout)).toEqual(['hush', '']);
});

it('leaves what leads to a remote behind: keys, helpers, proxies with a login, settings of git', () => {
  const ways = {
    SSH_AUTH_SOCK: '/run/agent.sock',
    SSH_ASKPASS: '/bin/ask',
    GIT_ASKPASS: '/bin/ask',
    GIT_SSH_COMMAND: 'ssh -i key',
    HTTPS_PROXY: 'http://me:secret@proxy',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'remote.harness-shared.url',
    GIT_CONFIG_VALUE_0: 'https://me:secret@host/x.git',
  };
  const env = getCleanEnv({ PATH: '/bin', HOME: '/home/me', ...ways }, { marker: 'm', tmpDir: '/tmp/x' });
  for (const name of Object.keys(ways)) expect(env).not.toHaveProperty(name);
});
