import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdits, type Clone, type Edits, type Ended, type Project } from '../honest/project.ts';
import { type Commit, placeBase } from './commit.ts';

/** What the project's own command says of a commit. */
export interface Own {
  /** Red on the base and green with the change. */
  readonly isValid: boolean;
  readonly command: string;
  readonly reason: string;
  readonly suiteSeconds: number;
}

const PATIENCE_MS = 600_000;

/** Asks the project's own command on the base and with the change; the first that tells them apart is believed. */
export async function judgeOwn(
  plain: Clone,
  commit: Commit,
  whole: Edits,
  found: Pick<Project, 'install' | 'full'>,
): Promise<Own> {
  let last: Own = { isValid: false, command: '', reason: 'no command', suiteSeconds: 0 };
  for (const command of getCommands(plain.dir, found.full)) {
    await placeBase(plain.git, commit);
    await install(plain, found.install);
    const before = await plain.run(command, PATIENCE_MS);
    applyEdits(plain.dir, whole);
    await install(plain, found.install);
    const startedMs = performance.now();
    const after = await plain.run(command, PATIENCE_MS);
    const suiteSeconds = getSeconds(startedMs);
    const reason = getReason(command, before, after);
    last = { isValid: reason === '', command, reason, suiteSeconds };
    if (last.isValid) return last;
  }
  return last;
}

/** Whether the project's own command is green with some other work on the same base. */
export async function isGreen(
  plain: Clone,
  commit: Commit,
  edits: Edits,
  { command, install: needed }: { readonly command: string; readonly install: string | null },
): Promise<boolean> {
  await placeBase(plain.git, commit);
  applyEdits(plain.dir, edits);
  await install(plain, needed);
  return (await plain.run(command, PATIENCE_MS)).code === 0;
}

const getSeconds = (startedMs: number): number => Math.round((performance.now() - startedMs) / 10) / 100;

/** The project's words first; those that `init` found where the first say more than tests do (linters, coverage). */
function getCommands(dir: string, full: string): readonly string[] {
  const read = (name: string): string =>
    existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8') : '';
  const scripts = (JSON.parse(read('package.json') || '{}') as { scripts?: Record<string, string> }).scripts;
  const own = [
    ...(scripts?.test ? ['npm test'] : []),
    ...(read('Cargo.toml') ? ['cargo test'] : []),
    ...(read('go.mod') ? ['go test ./...'] : []),
    ...(read('pyproject.toml') || read('setup.py') ? PYTHON : []),
  ];
  return [...new Set([...own, full])];
}

const PYTHON = ['pytest -q', 'unittest'].map(runner => `PYTHONPATH=src:. python3 -m ${runner}`);

const LOOSE = 'npm install --no-package-lock --no-audit --no-fund';

/** As the configuration says, or in the ways of people whose first one fails. */
async function install({ run, dir }: Clone, command: string | null): Promise<void> {
  const isNode = existsSync(join(dir, 'package.json'));
  const ways = [...(command ? [command] : []), ...(isNode ? [LOOSE, `${LOOSE} --legacy-peer-deps`] : [])];
  for (const way of ways) if ((await run(way, PATIENCE_MS)).code === 0) return;
}

function getReason(command: string, before: Ended, after: Ended): string {
  if (before.code === 0) return `${command} is green on the base`;
  if (after.code === 0) return '';
  return `${command} is red with the change: ${(after.stdout + after.stderr).trim().slice(-300)}`;
}
