import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { SessionRequest } from '../../../ports/index.ts';
import type { Sandbox } from '../../../ports/sandbox.ts';
import type { Run } from '../../process/open-run.ts';
import { getWrapperScript } from '../../sandbox/sandbox.ts';
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
  sdk: CodexSdk,
  sandbox: Sandbox | undefined,
  run: Run,
  request: SessionRequest,
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
