import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitOptions, RunGit } from '../../src/adapters/git/repo/run-git.ts';
import { MARKER_VARIABLE } from '../../src/adapters/process/marker.ts';
import type { Failpoints } from './failpoints.ts';

/** What goes to another machine, which may do it although nobody here waits for the answer any more. */
const NETWORK = new Set(['push', 'fetch', 'ls-remote']);
const INDEX_WRITERS = new Set(['read-tree', 'add', 'update-index', 'rm']);

/**
 * Git with five ways to die around every command:
 *
 *   before, after   between two commands of one step
 *   sent            only the harness dies; what it asked of a remote is done without it
 *   torn            the harness and its git die together; git's lock files stay
 *   orphan          only the harness dies; its git, slow as on a bad disk, lives on (once work has begun)
 */
export function watchGit(run: RunGit, points: Failpoints, slowGitDir: string): RunGit {
  return async (args, options) => {
    const command = getCommand(args);
    const name = `git.${command}${NETWORK.has(command) ? getMatter(args) : ''}`;
    points.pass(`${name}:before`);
    // Whoever only asks before it has entered itself into the record is known to nobody; it changes nothing.
    const hasBegun = MARKER_VARIABLE in options.env && points.hasPassed('store.append:after');
    if (hasBegun && points.isDue(`${name}:orphan`)) {
      const env = { ...options.env, PATH: `${slowGitDir}:${options.env.PATH ?? ''}` };
      void run(args, { ...options, env });
      points.die();
    }
    if (NETWORK.has(command) && points.isDue(`${name}:sent`)) {
      void run(args, options);
      points.die();
    }
    const locks = getLocks(command, args, options);
    if (Object.keys(locks).length > 0 && points.isDue(`${name}:torn`)) {
      for (const [path, content] of Object.entries(locks)) leave(path, content);
      points.die();
    }
    const result = await run(args, options);
    points.pass(`${name}:after`);
    return result;
  };
}

/** The name of the command, behind the `-c` settings. */
export function getCommand(args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '-c') at++;
    else if (!args[at]?.startsWith('-')) return args[at] ?? '';
  }
  return '';
}

/** What of the remote it is about: a place of its own for each. */
function getMatter(args: readonly string[]): string {
  const specs = args.filter(arg => /^[^-].*:refs\/|^:?refs\//.test(arg)).join(' ');
  if (specs.includes('refs/heads/')) return '@base';
  if (specs.includes('refs/notes/')) return '@notes';
  return specs.startsWith(':') ? '@drop' : '@kept';
}

/** What a killed git of this kind leaves behind. */
function getLocks(command: string, args: readonly string[], { env }: GitOptions): Record<string, string> {
  const gitDir = env.GIT_DIR;
  if (gitDir === undefined) return {};
  if (INDEX_WRITERS.has(command)) return { [`${env.GIT_INDEX_FILE ?? join(gitDir, 'index')}.lock`]: 'DIRC' };
  if (command !== 'update-ref') return {};
  if (args.includes('--stdin')) return { [join(gitDir, 'packed-refs.lock')]: '' };
  const at = args.findIndex(arg => arg.startsWith('refs/'));
  const ref = args[at] ?? '';
  const locks: Record<string, string> = { [join(gitDir, `${ref}.lock`)]: `${args[at + 1]}\n` };
  const head = join(gitDir, 'HEAD');
  if (existsSync(head) && readFileSync(head, 'utf8').trim() === `ref: ${ref}`) locks[`${head}.lock`] = '';
  return locks;
}

function leave(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
