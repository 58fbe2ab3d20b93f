import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoFacts } from './repo.ts';

/** Bytes are bytes: whatever a `.gitattributes` in the tree asks for, nothing is converted. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/** What running tests leaves behind in projects that do not ignore it: no part of anybody's work. */
const EXCLUDES = [
  '__pycache__/',
  '*.py[co]',
  '.pytest_cache/',
  '.mypy_cache/',
  '.ruff_cache/',
  '.DS_Store',
  'node_modules/',
  '.venv/',
  '',
].join('\n');

/**
 * Writes the harness's own git directory for one tree, or repairs it. It shares objects with the
 * user's repository and nothing else: no hooks, filters, monitors, refs or excludes of anybody else.
 */
export function writeHarnessGit(repo: RepoFacts, gitDir: string): void {
  for (const part of ['objects', 'refs', 'info']) mkdirSync(join(gitDir, part), { recursive: true });
  writeIfDifferent(join(gitDir, 'config'), getConfig(repo, false));
  writeIfDifferent(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  writeIfDifferent(join(gitDir, 'info', 'exclude'), EXCLUDES);
  writeIfDifferent(join(gitDir, 'HEAD'), 'ref: refs/heads/harness\n');
}

/** Writes the git directory for work on objects alone. */
export function writeScratch(repo: RepoFacts, gitDir: string): void {
  for (const part of ['objects', 'refs']) mkdirSync(join(gitDir, part), { recursive: true });
  writeIfDifferent(join(gitDir, 'config'), getConfig(repo, true));
  writeIfDifferent(join(gitDir, 'HEAD'), 'ref: refs/heads/harness\n');
}

/** Objects are synced to disk; the index is not, as it is rebuilt when it is damaged. */
function getConfig(repo: RepoFacts, bare: boolean): string {
  const copied = Object.entries(repo.coreSettings).map(
    ([name, value]) => `\t${name} = ${JSON.stringify(value)}\n`,
  );
  return `${getFormat(repo)}\tbare = ${bare}
${copied.join('')}\thooksPath = /dev/null
\tfsmonitor = false
\tuntrackedCache = false
\tsplitIndex = false
\tsparseCheckout = false
\texcludesFile = /dev/null
\tattributesFile = /dev/null
\tautocrlf = false
\teol = lf
\tsafecrlf = false
\tlogAllRefUpdates = false
\tfsync = objects
\tfsyncMethod = batch
[index]
\tversion = 2
[submodule]
\trecurse = false
[gc]
\tauto = 0
[advice]
\taddEmbeddedRepo = false
`;
}

/**
 * The settings of a repository that an agent, or a test run, works in. Where the files are watched, git is not to
 * read them all for nothing: their times of access are set back, and that changes their time of change.
 */
export function getAgentConfig(repo: RepoFacts, isWatched: boolean): string {
  const watched = isWatched ? '\ttrustctime = false\n\tcheckStat = minimal\n' : '';
  return `${getFormat(repo)}\tbare = false
\tlogAllRefUpdates = true
${watched}[user]
\tname = Harness agent
\temail = agent@localhost
[commit]
\tgpgSign = false
[tag]
\tgpgSign = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;
}

function getFormat(repo: RepoFacts): string {
  if (repo.objectFormat === 'sha1') return '[core]\n\trepositoryformatversion = 0\n';
  return `[extensions]\n\tobjectFormat = ${repo.objectFormat}\n[core]\n\trepositoryformatversion = 1\n`;
}

function writeIfDifferent(path: string, content: string): void {
  if (readIfThere(path)?.equals(Buffer.from(content))) return;
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, content);
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
