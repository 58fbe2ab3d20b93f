import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findInvocation, RUNNERS } from '../../core/testing/runners.ts';
import type { Shell, TestRequest } from '../../ports/index.ts';

/**
 * What a compiler has made of plain trees, for runs to begin with. It is filled by compiling alone, so that no code of the
 * project has ever run where it could write there; every run has a copy, and what becomes of that is thrown away.
 */
export interface BuildCache {
  /** Compiles what is about to be run. */
  fill(request: TestRequest): Promise<void>;
  /** Lays a copy into a folder of one run; returns the variables that lead there. */
  lend(request: Pick<TestRequest, 'runner'>, folder: string): Promise<Readonly<Record<string, string>>>;
}

/** For runners that can be told where to keep what they compile. */
export function openBuildCache(shell: Shell, dir: string): BuildCache {
  return {
    fill: async ({ runner, command, dir: cwd, timeoutMs, signal }) => {
      const { buildCache } = RUNNERS[runner];
      const invocation = buildCache ? findInvocation(RUNNERS[runner], command) : null;
      if (!buildCache || invocation?.via !== 'runner') return;
      const compile = buildCache.getCompileCommand(command, invocation);
      if (compile === null) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const where = { cwd, env: { CI: 'true', [buildCache.variable]: dir }, writable: [dir] };
      // What does not compile is the suite's to say.
      await shell.run({ command: compile, ...where, timeoutMs, ...(signal ? { signal } : {}) });
    },
    lend: async ({ runner }, folder) => {
      const { buildCache } = RUNNERS[runner];
      if (!buildCache) return {};
      const copy = join(folder, `${runner}-build`);
      if (existsSync(dir)) await run('cp', ['-a', dir, copy]);
      return { [buildCache.variable]: copy };
    },
  };
}

const run = promisify(execFile);
