import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { git, makeRepo, SHELL_ENV, write } from './git-fixture.ts';

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

export const CONFIG = `project: { name: sample }
testing:
  runner: command
  full: sh test/all.sh
  feature: sh {file}
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
`;

export interface Feature {
  readonly id: number | string;
  readonly description: string;
  readonly test_file?: string;
  readonly depends_on?: readonly (number | string)[];
  readonly passes?: boolean;
  readonly [more: string]: unknown;
}

/** Three tasks in a row; each wants a file of its number in src. */
export const FEATURES: readonly Feature[] = [1, 2, 3].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  ...(id > 1 ? { depends_on: [id - 1] } : {}),
  passes: false,
}));

export function getBacklog(features: readonly Feature[] = FEATURES): string {
  return `${JSON.stringify({ project: 'sample', features }, null, 2)}\n`;
}

const AGENT = `tasks:
${[1, 2].map(id => `  "${id}": [{ edit: { file: src/${id}.txt, content: "${id}\\n" } }, { claim: done }]`).join('\n')}
  "3": [{ lie: done }]
`;

/** A small project that takes milliseconds to test; its agent does tasks 1 and 2 and lies about 3. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const tests = [1, 2, 3].map(id => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`]);
  const all = {
    '.harness.yaml': CONFIG,
    'features.json': getBacklog(),
    'agent.yaml': AGENT,
    'test/all.sh': 'exit 0\n',
    ...Object.fromEntries(tests),
    ...files,
  };
  return makeRepo(all, '--template=');
}

/** Commits files as the person would. */
export function commit(dir: string, files: Readonly<Record<string, string>>, message = 'Change'): void {
  write(dir, files);
  git(dir, 'add', '-A', '--', ...Object.keys(files));
  git(dir, 'commit', '-q', '-m', message);
}
