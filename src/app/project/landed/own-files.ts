import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isOwnEntry } from '../../../adapters/artifacts/state-dir.ts';
import { getBaseEnv } from '../../../adapters/git/repo/git-env.ts';
import type { GitDirs } from '../../../adapters/git/repo/git-files.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import type { Config } from '../../../config/sections/schema.ts';
import { HarnessError } from '../../../core/base/failure.ts';

/** The folder that is there for such tools and nothing else: what others keep in it stays as it is. */
const USUAL = '.harness';

/** What people may have committed of a state directory. */
const COMMITTED = ['.gitignore', '.gitattributes', '.gitkeep', 'README.md', 'held-out', 'prompts'];

/** What people put there for the harness to find. */
const PEOPLES = [...COMMITTED, 'backups', 'signals', 'inbox', 'context', 'FROZEN', '.DS_Store'];

/** The records hide their whole folder from git, so a folder that is there for something else is none for them. */
export async function refuseForeign(
  { root, mainRoot }: GitDirs,
  { paths, plan, verification }: Config,
  configFile: string,
): Promise<void> {
  const named = join(mainRoot, paths.state_dir);
  if (!existsSync(named)) return;
  const dir = realpathSync(named);
  if (dir === join(realpathSync(mainRoot), USUAL)) return;
  const places = [paths.features, paths.progress, paths.prompts, plan.completed_dir, verification.held_out];
  const kept = getNamesIn(
    named,
    places.map(place => resolve(root, place ?? '')),
  );
  const [first, ...more] = await findForeign(dir, kept);
  if (first === undefined) return;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const message = `paths.state_dir (${paths.state_dir}) is a folder with other files in it: ${first}${others}; with the records in it, git would see nothing new there`;
  const fix = `set paths.state_dir to a folder of its own, or leave it out: ${USUAL}`;
  throw new HarnessError('config', message, { file: configFile, field: 'paths.state_dir', fix });
}

async function findForeign(dir: string, kept: readonly string[]): Promise<readonly string[]> {
  const tracked = (await listTracked(dir)).filter(
    path => ![...COMMITTED, ...kept].includes(path.split('/')[0] ?? path),
  );
  const theirs = [...PEOPLES, ...kept];
  const others = readDir(dir).filter(name => !isOwnEntry(name) && !theirs.includes(name));
  return [...new Set([...tracked, ...others])];
}

/** A file in the folder's place is told of by whoever would make the folder. */
function readDir(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Moves what the harness wrote from one folder into another; what git has stays where it is. */
export async function moveOwnFiles(from: string, to: string, kept: readonly string[]): Promise<void> {
  const tracked = await listTracked(from);
  const move = (path: string): void => {
    if (tracked.includes(path)) return;
    if (tracked.some(one => one.startsWith(`${path}/`))) {
      for (const name of readdirSync(join(from, path))) move(`${path}/${name}`);
      return;
    }
    mkdirSync(dirname(join(to, path)), { recursive: true });
    renameSync(join(from, path), join(to, path));
  };
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (isOwnEntry(name) && !kept.includes(name)) move(name);
}

/** The first part of each path that lies in a folder, as the folder has it. */
export function getNamesIn(dir: string, paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    const [first = ''] = relative(dir, path).split(/[/\\]/);
    return first === '' || first === '..' ? [] : [first];
  });
}

/** What git has of a folder, wherever a link leads to; nothing where there is no repository around it. */
async function listTracked(dir: string): Promise<readonly string[]> {
  if (readDir(dir).length === 0) return [];
  const args = ['ls-files', '-z', '--cached', '--', '.'];
  const { code, stdout } = await runGit(args, { cwd: realpathSync(dir), env: getBaseEnv() });
  return code === 0 ? stdout.toString('utf8').split('\0').filter(Boolean) : [];
}
