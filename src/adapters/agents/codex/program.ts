import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Sandbox } from '../../../ports/index.ts';
import type { Run } from '../../process/open-run.ts';
import { getWrapperScript } from '../../sandbox/sandbox.ts';
import type { Session } from '../shared/hold-session.ts';
import type { CodexSdk } from './sdk.ts';

/** What the SDK is to start, and with which environment. */
export interface CodexProgram {
  /** Null when the package cannot be asked where it is. */
  readonly path: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** A program of ours that starts it in the sandbox; null where there is none. */
  readonly boxed: string | null;
}

/** The SDK starts its program by itself, so the sandbox comes in as another program. */
export function prepareCodexProgram(
  { sdk, run, request }: Session<CodexSdk>,
  sandbox: Sandbox | undefined,
  homeDir: string,
): CodexProgram {
  const found = new sdk.Codex({ env: {}, config: {}, configOverrides: [] }).exec;
  const path = found?.executablePath ?? null;
  // Without tools there is nothing to contain, and the schema lies where a sandbox has no /tmp of ours.
  if (!sandbox || !path || request.mode === 'complete') return { path, env: run.env, boxed: null };
  // A program of its own is not given the tools that the SDK adds for its own one.
  const folders = [...(found?.pathDirs ?? []), run.env.PATH ?? ''];
  const { env, ...command } = sandbox.wrap({
    file: path,
    args: [],
    cwd: request.cwd,
    env: { ...run.env, PATH: folders.join(delimiter) },
    box: mkdtempSync(join(run.tmpDir, 'box-')),
    readable: [dirname(dirname(path))],
    writable: [homeDir],
    isCwdReadOnly: request.mode === 'review',
  });
  const boxed = join(run.tmpDir, 'codex');
  writeFileSync(boxed, getWrapperScript({ ...command, env }), { mode: 0o700 });
  return { path, env, boxed };
}

/**
 * A CODEX_HOME of our own, so that neither settings nor histories mix with the user's. The login is
 * a link: Codex renews it in place, and a copy would log the user out of the original.
 */
export async function prepareCodexHome(homeDir: string, login: string | null): Promise<void> {
  await mkdir(homeDir, { recursive: true, mode: 0o700 });
  await removePlanted(homeDir);
  const link = join(homeDir, 'auth.json');
  const present = await readlink(link).catch(() => null);
  if (present === login) return;
  await rm(link, { force: true });
  if (login) await symlink(login, link).catch(ignoreExisting);
}

/** An agent may have written here: what Codex would take as settings, hooks or instructions goes. */
async function removePlanted(homeDir: string): Promise<void> {
  const skills = join(homeDir, 'skills');
  const planted = [
    ...(await readNames(homeDir)).filter(name => !KEPT.test(name)).map(name => join(homeDir, name)),
    ...(await readNames(skills)).filter(name => name !== '.system').map(name => join(skills, name)),
  ];
  for (const path of planted) await rm(path, { recursive: true, force: true });
}

/** Threads and their index, the login, locks of sessions beside this one, and what is put back anyway. */
const KEPT =
  /^(sessions|auth\.json|.*\.sqlite(-\w+)?|.*lock(s|file)?|installation_id|skills|\.?tmp|log|shell_snapshots|\.sandbox_migration)$/;

async function readNames(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** Another session made the same link at the same time. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** What keeps Codex from holding its commands to the worktree; null when nothing does. */
export type SandboxProbe = (program: string, env: Run['env'], cwd: string) => Promise<string | null>;

/**
 * Codex needs user namespaces, which many containers forbid; every command would then fail, and the
 * model would go on as if that were the task's fault. Asked until the answer is good, then never again.
 */
export function createSandboxProbe(): SandboxProbe {
  let isFine = false;
  return async (program, env, cwd) => {
    if (isFine) return null;
    const why = await runSandboxed(program, env, cwd);
    isFine = why === null;
    if (why === null) return null;
    return `Codex cannot contain its commands here: ${why} Allow user namespaces for this container (bubblewrap needs them), or run the harness where its own sandbox works.`;
  };
}

function runSandboxed(program: string, env: Run['env'], cwd: string): Promise<string | null> {
  return new Promise(resolve => {
    execFile(program, ['sandbox', '--', 'true'], { env, cwd, timeout: 20_000 }, (error, _out, stderr) => {
      const lastLine = stderr.trim().split('\n').at(-1) || error?.message || '';
      resolve(error ? (lastLine.endsWith('.') ? lastLine : `${lastLine}.`) : null);
    });
  });
}
