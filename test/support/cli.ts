import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { git, makeRepo, SHELL_ENV, write } from './git-fixture.ts';
import { getSampleFiles } from './sample-project.ts';

export { CONFIG, FEATURES, type Feature, getBacklog } from './sample-project.ts';

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command as somebody at a shell would, with nothing of the real user's around it. */
export function runCli(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = inject('harnessProgram'),
): Promise<CliResult> {
  const own = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(cwd), 'cache'), ...env };
  return new Promise(resolve => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd, env: own, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      },
    );
  });
}

/** The answer of a command that speaks JSON. */
export async function runJson<T = Record<string, unknown>>(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const { stdout, stderr } = await runCli(cwd, [...args, '--json'], env);
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`no JSON from harness ${args.join(' ')}: ${stdout}${stderr}`);
  }
}

/** A small project that takes milliseconds to test; its agent does tasks 1 and 2 and lies about 3. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  return makeRepo({ ...getSampleFiles(), ...files }, '--template=');
}

/** Commits files as the person would. */
export function commit(dir: string, files: Readonly<Record<string, string>>, message = 'Change'): void {
  write(dir, files);
  git(dir, 'add', '-A', '--', ...Object.keys(files));
  git(dir, 'commit', '-q', '-m', message);
}
