import { execFile } from 'node:child_process';
import type { Run } from '../../process/open-run.ts';

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
      const said = stderr.trim().split('\n').at(-1) || error?.message || '';
      resolve(error ? (said.endsWith('.') ? said : `${said}.`) : null);
    });
  });
}
