import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import type { RunnerKind } from '../../core/testing.ts';
import type { Shell } from '../../ports.ts';
import { PLAN_VERSION } from '../reports/report-plan.ts';

/** Programs that test commands are made of; another file under one of these names may give other results. */
const TOOLS = [
  'node',
  'npm',
  'python',
  'python3',
  'go',
  'cargo',
  'rustc',
  'java',
  'ruby',
  'php',
  'bun',
  'deno',
];

/** Names that often stand for a program that chooses the real one: only asking tells which. */
const ASK: Readonly<Partial<Record<RunnerKind, string>>> = {
  vitest: 'node --version',
  jest: 'node --version',
  mocha: 'node --version',
  node: 'node --version',
  pytest: 'python3 --version; python --version',
  go: 'go version',
  cargo: 'rustc --version',
};

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
  return async runner => {
    const facts = getFacts(options);
    const question = getQuestion(runner, options.env.PATH);
    const key = `${question}\n${facts}`;
    const answer = answers.get(key) ?? ask(options.shell, question);
    answers.set(key, answer);
    return createHash('sha256')
      .update(`${facts}\n${await answer}`)
      .digest('hex')
      .slice(0, 16);
  };
}

function getFacts({ containment, env, seen }: FingerprintOptions): string {
  const variables = seen.map(name => [name, env[name] ?? null]);
  const tools = TOOLS.map(name => findTool(name, env.PATH)).filter(tool => tool !== null);
  return JSON.stringify([PLAN_VERSION, platform(), arch(), release(), containment, variables, tools]);
}

interface Tool {
  readonly path: string;
  readonly real: string;
  readonly size: number;
  readonly changedMs: number;
}

function findTool(name: string, path: string | undefined): Tool | null {
  for (const folder of (path ?? '').split(':')) {
    if (!folder.startsWith('/')) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    const at = join(folder, name);
    return { path: at, real: realpathSync(at), size: stats.size, changedMs: stats.mtimeMs };
  }
  return null;
}

/** Our own interpreter need not be asked for its version. */
function getQuestion(runner: RunnerKind, path: string | undefined): string {
  const question = ASK[runner] ?? '';
  if (!question.startsWith('node ')) return question;
  return findTool('node', path)?.real === realpathSync(process.execPath) ? '' : question;
}

async function ask(shell: Shell, command: string): Promise<string> {
  if (command === '') return process.version;
  const { output } = await shell.run({ command, cwd: '/', timeoutMs: ASK_TIMEOUT_MS });
  return output;
}
