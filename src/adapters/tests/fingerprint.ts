import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import type { RunnerKind } from '../../core/model/testing.ts';
import { PLAN_VERSION, RUNNERS } from '../../core/testing/runners.ts';
import type { Shell } from '../../ports/index.ts';

/** Programs that test commands are made of; another file under one of these names may give other results. */
const TOOLS = 'node npm python python3 go cargo rustc java ruby php bun deno'.split(' ');

const ASK_TIMEOUT_MS = 20_000;

export interface FingerprintOptions {
  readonly shell: Shell;
  /** How tests are kept apart from the machine. */
  readonly containment: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables of ours that tests can see. */
  readonly seen: readonly string[];
}

/**
 * A short text that changes when something besides files and command does that could change what tests
 * say: a result from before an upgrade is no answer after it. Cheap enough to be asked before each run.
 */
export function createFingerprint(options: FingerprintOptions): (runner: RunnerKind) => Promise<string> {
  const answers = new Map<string, Promise<string>>();
  const paths = TOOLS.map(name => findTool(name, options.env.PATH)).filter(path => path !== null);
  const isOurs = isOurNode(options.env.PATH);
  return async runner => {
    const facts = getFacts(options, paths);
    // Names often stand for a program that chooses the real one: only asking tells which.
    const { versionCommand = '' } = RUNNERS[runner];
    const question = isOurs ? versionCommand.replace(/^node .*/, '') : versionCommand;
    const key = `${question}\n${facts}`;
    const answer = answers.get(key) ?? ask(options.shell, question);
    answers.set(key, answer);
    return createHash('sha256')
      .update(`${facts}\n${await answer}`)
      .digest('hex')
      .slice(0, 16);
  };
}

function getFacts({ containment, env, seen }: FingerprintOptions, paths: readonly string[]): string {
  const variables = seen.map(name => [name, env[name] ?? null]);
  const tools = paths.map(path => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return [path, stats?.ino, stats?.size, stats?.mtimeMs];
  });
  return JSON.stringify([PLAN_VERSION, platform(), arch(), release(), containment, variables, tools]);
}

function findTool(name: string, path: string | undefined): string | null {
  const folders = (path ?? '').split(':').filter(folder => folder.startsWith('/'));
  const paths = folders.map(folder => join(folder, name));
  return paths.find(isFile) ?? null;
}

/** A folder on PATH that may not be looked into holds nothing for us. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Our own interpreter need not be asked for its version. */
function isOurNode(path: string | undefined): boolean {
  const found = findTool('node', path);
  try {
    return found !== null && realpathSync(found) === realpathSync(process.execPath);
  } catch {
    // Without /proc, Node may not know where it is itself.
    return false;
  }
}

async function ask(shell: Shell, command: string): Promise<string> {
  if (command === '') return process.version;
  const { output } = await shell.run({ command, cwd: '/', timeoutMs: ASK_TIMEOUT_MS });
  return output;
}
