import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TOOLCHAIN } from '../../src/adapters/process/toolchain.ts';
import { loadConfig } from '../../src/config/load.ts';
import { getPolicy } from '../../src/config/policy.ts';
import type { TestingPolicy } from '../../src/core/model/policy.ts';
import type { Tree } from './tree.ts';

/** A clone with a home folder and a cache of its own. */
export interface Clone {
  readonly name: string;
  readonly dir: string;
  readonly home: string;
  run(command: string, timeoutMs?: number): Promise<Ended>;
  git(...args: string[]): Promise<string>;
  harness(args: readonly string[]): Promise<Ended>;
}

/** A clone in which changes are tried and judged, one after the other. */
export interface Project extends Clone {
  /** The commands that `init` found. */
  readonly install: string | null;
  readonly full: string;
  readonly testing: TestingPolicy;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PATIENCE_MS = 900_000;

/** What the program that plays the agent does: lays down prepared files; as a reviewer it says yes. */
const AGENT = `import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
if (process.env.HARNESS_ROLE === 'review') console.log('{"findings":[]}');
else {
  const { write, remove } = JSON.parse(readFileSync(join(import.meta.dirname, 'plan.json'), 'utf8'));
  for (const path of remove) rmSync(path, { force: true });
  for (const [path, text] of Object.entries(write)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  console.log('Done, and all tests pass.');
}
`;

export interface Where {
  readonly root: string;
  readonly program: string;
}

/** Clones a repository and sets it up as its owner would, after `prepare` where that is not at its newest commit. */
export async function openProject(
  name: string,
  source: string,
  where: Where,
  prepare?: (clone: Clone) => Promise<unknown>,
): Promise<Project> {
  const clone = await openClone(name, source, where);
  const { git, dir, home, harness } = clone;
  await prepare?.(clone);
  writeFileSync(join(home, 'agent.mjs'), AGENT);
  const init = ['init', '--agent', 'command', '--command', 'node "$HOME/agent.mjs"'];
  const { code, stdout, stderr } = await harness(init);
  if (code !== 0) throw new Error(`harness ${init.join(' ')}: ${code}: ${(stderr || stdout).slice(-500)}`);
  await git('add', '-f', '.harness.yaml', 'features.json');
  await git('commit', '-q', '--no-verify', '-m', 'Set up Harness');
  const { config } = await loadConfig(dir, process.env);
  const { testing, environment } = getPolicy(config, { baseBranch: 'main', configPath: '.harness.yaml' });
  if (testing.full === null) throw new Error('init found no tests');
  return { ...clone, install: environment.install, full: testing.full, testing };
}

/** A clone as it comes. */
export async function openClone(name: string, source: string, { root, program }: Where): Promise<Clone> {
  const [dir, home] = [join(root, name, 'project'), join(root, name, 'home')];
  for (const path of [dirname(dir), home, join(root, name, 'tmp')]) mkdirSync(path, { recursive: true });
  const env = {
    ...getToolchain(process.env),
    ...{
      HOME: home,
      TMPDIR: join(root, name, 'tmp'),
      HARNESS_CACHE_DIR: join(root, name, 'cache'),
      LANG: 'C.UTF-8',
    },
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const runGit = async (args: readonly string[], cwd: string): Promise<string> => {
    const { code, stdout, stderr } = await start('git', args, cwd, env, PATIENCE_MS);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${code}: ${(stderr || stdout).slice(-500)}`);
    return stdout.trim();
  };
  await runGit(['clone', '-q', source, dir], root);
  await runGit(['config', 'user.name', 'Owner'], dir);
  await runGit(['config', 'user.email', 'owner@example.org'], dir);
  return {
    ...{ name, dir, home },
    git: (...args) => runGit(args, dir),
    run: (command, timeoutMs = PATIENCE_MS) => start('sh', ['-c', command], dir, env, timeoutMs),
    harness: args => start(process.execPath, [program, ...args], dir, env, PATIENCE_MS),
  };
}

/** The programs of this machine, in a home folder that is not their owner's. */
function getToolchain(env: Readonly<Record<string, string | undefined>>) {
  const rustup = join(env.HOME ?? '/', '.rustup');
  return {
    ...(existsSync(rustup) ? { RUSTUP_HOME: rustup } : {}),
    ...Object.fromEntries(
      ['PATH', ...TOOLCHAIN].flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
    ),
  };
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out = { stdout: '', stderr: '' };
    for (const which of ['stdout', 'stderr'] as const)
      child[which].setEncoding('utf8').on('data', (text: string) => {
        out[which] += text;
      });
    const timer = setTimeout(() => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ code, ...out });
    });
  });
}

/** The texts that are in git; large and binary files are left out. */
export async function readTree({ dir, git }: Project): Promise<Tree> {
  const paths = (await git('ls-files', '-z'))
    .split('\0')
    .filter(path => path !== '' && existsSync(join(dir, path)));
  const texts = paths.map(path => [path, readFileSync(join(dir, path))] as const);
  return new Map(
    texts
      .filter(([, bytes]) => bytes.length < 400_000 && !bytes.includes(0))
      .map(([path, bytes]) => [path, bytes.toString('utf8')]),
  );
}

/** What has to be written and removed to come from one tree to another. */
export interface Edits {
  readonly write: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
}

export function getEdits(from: Tree, to: Tree): Edits {
  return {
    write: Object.fromEntries([...to].filter(([path, text]) => from.get(path) !== text)),
    remove: [...from.keys()].filter(path => !to.has(path)),
  };
}

export function applyEdits(dir: string, { write, remove }: Edits): void {
  for (const path of remove) rmSync(join(dir, path));
  for (const [path, text] of Object.entries(write)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}
