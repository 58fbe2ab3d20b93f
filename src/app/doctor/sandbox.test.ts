import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { parseConfig } from '../../config/load.ts';
import type { Project } from '../project/open-project.ts';
import { describeSandbox } from './sandbox.ts';

it('tells what is hidden and why, and which variables stay behind', () => {
  const [home, root] = [makeTempDir(), makeTempDir()];
  for (const dir of ['.ssh', '.cache/go-build', 'shared']) mkdirSync(join(home, dir), { recursive: true });
  writeFileSync(join(home, '.npmrc'), '//registry/:_authToken=abc\n');
  writeFileSync(join(root, '.env'), 'A=1\n');
  const text =
    'project: { name: shop }\ntesting: { env: [FLAGS, GONE] }\nsandbox: { writable: [~/shared] }\n';
  const repo = { root, mainRoot: root, commonDir: join(root, '.git') };
  const config = parseConfig(text, '.harness.yaml', {});
  const project = { root, repo, config, policy: simPolicy, stateDir: join(root, '.harness') };
  const env = {
    ...{ HOME: home, RUSTUP_HOME: '/opt/rust', GITHUB_TOKEN: 's3cret', FLAGS: 'a' },
    HTTPS_PROXY: 'http://me:s3cret@proxy.example',
  };
  const lines = describeSandbox(project as unknown as Project, env).map(
    ({ name, status, detail }) => `${status} ${name}: ${detail}`,
  );
  const find = (what: string): string => lines.find(line => line.includes(what)) ?? '';
  expect(find(join(home, '.ssh'))).toContain('credentials');
  expect(find(join(home, '.npmrc'))).toContain('a secret was found');
  expect(find(join(root, '.env'))).toContain('git does not know');
  expect(find(join(home, '.cache/go-build'))).toContain('ok private');
  expect(find(join(home, 'shared'))).toContain('ok writable');
  expect(find('seen: ')).toMatch(/RUSTUP_HOME.*FLAGS/);
  expect(find('stay behind')).toContain('GITHUB_TOKEN');
  expect(find('a login is in')).toBe('warn variables: a login is in HTTPS_PROXY');
  expect(find('not set here')).toContain('GONE');
  expect(lines.join('\n')).not.toContain('s3cret');
});
