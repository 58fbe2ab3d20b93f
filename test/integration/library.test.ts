import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeProject } from '../support/cli.ts';
import { SHELL_ENV } from '../support/git-fixture.ts';

const DOCS = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
const [EXAMPLE = ''] = [...DOCS.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);

/** The package as somebody gets it from the registry, in a folder of their own. */
function install(dir: string): void {
  const from = join(dir, 'package');
  cpSync(dirname(inject('harnessProgram')), join(from, 'dist'), { recursive: true });
  for (const name of ['package.json', 'schema', 'README.md', 'LICENSE', 'CHANGELOG.md'])
    cpSync(name, join(from, name), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(from, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build-types.js', join(from, 'dist')], { env: SHELL_ENV });
  const npm = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', dir];
  execFileSync('npm', npm, { cwd: from, env: SHELL_ENV, encoding: 'utf8' });
  const [tarball = ''] = readdirSync(dir).filter(name => name.endsWith('.tgz'));
  const home = join(dir, 'node_modules', '@harness-proof', 'harness');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(dir, tarball), '-C', home, '--strip-components=1']);
  symlinkSync(
    join(process.cwd(), 'node_modules', '@photostructure'),
    join(dir, 'node_modules', '@photostructure'),
  );
}

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'harness-library-'));
  install(dir);
}, 120_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('the example of docs/library.md runs from the packed tarball', () => {
  writeFileSync(join(dir, 'example.mjs'), EXAMPLE);
  const repo = makeProject();
  const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dir, 'cache') };
  const out = execFileSync(process.execPath, ['example.mjs', repo], { cwd: dir, env, encoding: 'utf8' });
  expect(out).toContain('task 1: landed');
  expect(out).toContain('task 2: landed');
  expect(out).toContain('stopped: task-limit, 0 questions');
  expect(out).toContain('task 1 holds');
  expect(out).toContain('2 landings, all as they were proven');
}, 120_000);

it("the packed types need nothing but Node's, and know more than `any`", () => {
  const uses = `import type { Config, ConfigInput, HarnessEvent, TaskProof } from '@harness-proof/harness';
    export const config: ConfigInput = { project: { name: 'shop' }, agent: { provider: 'claude' } };
    export const getName = ({ project }: Config): string => project.name;
    export const getHash = ({ proof }: TaskProof): string | undefined => proof?.hash;
    export const getType = (event: HarnessEvent): string => event.type;
    // @ts-expect-error
    export const agent: ConfigInput['agent'] = { provider: 'nobody' };
    // @ts-expect-error
    export const getSize = ({ project }: Config): number => project.name;
    // @ts-expect-error
    export const getWord = ({ proof }: TaskProof): number | undefined => proof?.hash;`;
  writeFileSync(join(dir, 'example.mts'), EXAMPLE);
  writeFileSync(join(dir, 'uses.mts'), uses);
  symlinkSync(join(process.cwd(), 'node_modules', '@types'), join(dir, 'node_modules', '@types'));
  const tsc = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc');
  const options = '--noEmit --strict --module nodenext --target es2023 --types node --skipLibCheck';
  for (const skip of ['true', 'false']) {
    const args = [tsc, ...options.split(' '), skip, 'example.mts', 'uses.mts'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: dir, env: SHELL_ENV, encoding: 'utf8' });
    expect(stdout).toBe('');
  }
  const files = readdirSync(join(dir, 'node_modules/@harness-proof/harness/dist/types'), { recursive: true });
  expect(files.filter(name => String(name).endsWith('.d.ts')).length).toBeLessThan(200);
}, 60_000);

it('docs/library.md names every use case there is', async () => {
  const library = await import('../../src/index.ts');
  for (const name of Object.keys(library)) expect(DOCS).toContain(name);
});
