import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getCompileCommand } from '../../core/reports/report-plan.ts';
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

/** Go is the one that names its cache by content: a file of another tree can never be taken for one of this. */
export function openBuildCache(shell: Shell, dir: string): BuildCache {
  return {
    fill: async ({ runner, command, dir: cwd, timeoutMs, signal }) => {
      const compile = getCompileCommand(runner, command);
      if (compile === null) return;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const where = { cwd, env: { CI: 'true', GOCACHE: dir }, writable: [dir] };
      // What does not compile is the suite's to say.
      await shell.run({ command: compile, ...where, timeoutMs, ...(signal ? { signal } : {}) });
    },
    lend: async ({ runner }, folder) => {
      if (runner !== 'go') return {};
      const copy = join(folder, 'go-build');
      if (existsSync(dir)) await run('cp', ['-a', dir, copy]);
      return { GOCACHE: copy };
    },
  };
}

const run = promisify(execFile);
