import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoFacts } from './repo.ts';

/** Bytes are bytes: whatever a `.gitattributes` in the tree asks for, nothing is converted. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';

/**
 * Writes the harness's own git directory for one tree, or repairs it. It shares objects with the
 * user's repository and nothing else: no hooks, filters, excludes, monitors or refs of anybody.
 */
export function writeHarnessGit(repo: RepoFacts, gitDir: string): void {
  for (const part of ['objects', 'refs', 'info']) mkdirSync(join(gitDir, part), { recursive: true });
  writeIfDifferent(join(gitDir, 'config'), getConfig(repo, false));
  writeIfDifferent(join(gitDir, 'info', 'attributes'), ATTRIBUTES);
  writeIfDifferent(join(gitDir, 'info', 'exclude'), '');
  writeIfDifferent(join(gitDir, 'HEAD'), 'ref: refs/heads/harness\n');
}

/** Writes the git directory for work on objects alone. */
export function writeScratch(repo: RepoFacts, gitDir: string): void {
  for (const part of ['objects', 'refs']) mkdirSync(join(gitDir, part), { recursive: true });
  writeIfDifferent(join(gitDir, 'config'), getConfig(repo, true));
  writeIfDifferent(join(gitDir, 'HEAD'), 'ref: refs/heads/harness\n');
}

/**
 * Writes a fresh, independent repository for the agent. It reads the user's objects and writes its
 * own, so the agent's git works as usual while the user's refs, stash, config and hooks are not there.
 */
export function writeAgentGit(repo: RepoFacts, tree: string, head: string | null, index: Buffer): void {
  const gitDir = join(tree, '.git');
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true });
  mkdirSync(join(gitDir, 'refs', 'heads', 'harness'), { recursive: true });
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(gitDir, name), content);
  write('config', getAgentConfig(repo));
  write('objects/info/alternates', `${getQuoted(repo.objectsDir)}\n`);
  const shallow = readIfThere(join(repo.commonDir, 'shallow'));
  if (shallow !== null) write('shallow', shallow);
  if (head !== null) write('refs/heads/harness/work', `${head}\n`);
  write('index', index);
  write('HEAD', 'ref: refs/heads/harness/work\n');
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

function getAgentConfig(repo: RepoFacts): string {
  return `${getFormat(repo)}\tbare = false
\tlogAllRefUpdates = true
[user]
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

function getQuoted(path: string): string {
  return path.includes('\n') ? JSON.stringify(path) : path;
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
