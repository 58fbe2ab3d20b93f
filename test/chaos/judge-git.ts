import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BY_HAND } from './by-hand.ts';
import type { Evidence, Ground, Violation } from './judge.ts';
import type { GitRecord } from './judge-store.ts';
import { getTasks, getUserEnv, isClean, type Scene } from './scenes.ts';
import { getDifferences, takeImage } from './take-image.ts';

const execute = promisify(execFile);

/** The history: every task in it exactly once, its tests green at the tip, the user's own work as it was. */
export async function judgeGit(evidence: Evidence, record: GitRecord): Promise<Violation[]> {
  const own = openGit(join(evidence.dir, 'p'));
  const isRemote = evidence.scene === 'remote';
  const git = isRemote ? openGit(join(evidence.dir, 'remote.git')) : own;
  try {
    const tip = await readTip(git);
    const landings = await readLandings(git, tip);
    return [
      ...judgeLandings(landings, record.landed, evidence.scene),
      ...(await judgeProven(git, tip, record.proven)),
      ...(await judgeProofs(git, landings)),
      ...(await judgeTests(evidence.dir, git, tip)),
      ...(await judgeCheckout(evidence, git, tip)),
      ...(await judgeObjects(git)),
      ...(isRemote ? [...(await judgeObjects(own)), ...(await judgeRemote(git, record.dropped))] : []),
    ];
  } catch (error) {
    return [{ kind: 'lost', text: `the repository cannot be read: ${String(error).slice(0, 400)}` }];
  }
}

type Git = (...args: string[]) => Promise<string>;

function openGit(cwd: string): Git {
  return async (...args) => {
    const { stdout } = await execute('git', args, { cwd, env: getUserEnv() });
    return stdout.trimEnd();
  };
}

async function readTip(git: Git): Promise<string> {
  const heads = (await git('for-each-ref', '--format=%(refname)', 'refs/heads')).split('\n');
  return heads.includes('refs/heads/harness/landed') ? 'refs/heads/harness/landed' : 'refs/heads/main';
}

async function readLandings(git: Git, tip: string): Promise<{ commit: string; task: string }[]> {
  const format = '--format=%H %(trailers:key=Harness-Task,valueonly,separator=%x2C)';
  const lines = (await git('log', format, tip, 'refs/heads/main')).split('\n');
  return lines.flatMap(line => {
    const [commit = '', task = ''] = line.trim().split(' ');
    return task ? [{ commit, task }] : [];
  });
}

function judgeLandings(
  landings: readonly { commit: string; task: string }[],
  recorded: GitRecord['landed'],
  scene: Scene,
): Violation[] {
  return getTasks(scene).flatMap((task): Violation[] => {
    const commits = landings.filter(landing => landing.task === task).map(landing => landing.commit);
    if (commits.length > 1) return [{ kind: 'doubled', text: `task ${task} landed ${commits.length} times` }];
    if (commits.length === 0) return [{ kind: 'lost', text: `task ${task} is not in git` }];
    const told = recorded.get(task)?.join(' and ');
    if (commits[0] === told) return [];
    return [{ kind: 'lost', text: `task ${task} is in git as ${commits[0]}, recorded as ${told}` }];
  });
}

/** The branch has moved to nothing but what was proven there, or what a person put there. */
async function judgeProven(git: Git, tip: string, proven: ReadonlySet<string>): Promise<Violation[]> {
  const line = (await git('log', '--first-parent', '--format=%H %s', tip)).split('\n');
  return line
    .filter(one => !/ (Start|By hand)$/.test(one) && !proven.has(one.split(' ')[0] ?? ''))
    .map(one => ({ kind: 'lost', text: `on the branch without having been proven there: ${one}` }));
}

/** On the remote there is what hosts share, and nothing of attempts that were let go of. */
async function judgeRemote(git: Git, dropped: ReadonlySet<string>): Promise<Violation[]> {
  const refs = (await git('for-each-ref', '--format=%(refname)')).split('\n');
  return refs.flatMap((ref): Violation[] => {
    if (ref === 'refs/heads/main' || ref === 'refs/notes/harness-proofs') return [];
    const [, attempt] = /^refs\/harness\/attempts\/(.+)$/.exec(ref) ?? [];
    if (attempt !== undefined && !dropped.has(attempt)) return [];
    return [{ kind: 'wedged', text: `left on the remote: ${ref}` }];
  });
}

/** Every landed commit has its proof with it, and it is the one that the commit names. */
async function judgeProofs(
  git: Git,
  landings: readonly { commit: string; task: string }[],
): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { commit, task } of landings) {
    const named = await git('log', '-1', '--format=%(trailers:key=Harness-Proof,valueonly)', commit);
    const note = await git('notes', '--ref=harness-proofs', 'show', commit).catch(() => '{}');
    const { hash } = JSON.parse(note) as { hash?: string };
    if (named.trim() === '' || hash !== named.trim())
      violations.push({ kind: 'lost', text: `the proof of task ${task} did not come along` });
  }
  return violations;
}

/** Lays out the tip where nobody has been, and runs all tests. */
async function judgeTests(dir: string, git: Git, tip: string): Promise<Violation[]> {
  const target = join(dir, 'final');
  mkdirSync(target);
  const archive = join(dir, 'final.tar');
  await git('archive', '-o', archive, tip);
  await execute('tar', ['-xf', archive, '-C', target]);
  try {
    await execute('sh', ['check.sh'], { cwd: target });
    return [];
  } catch {
    return [{ kind: 'lost', text: 'the tests fail on what has landed' }];
  }
}

async function judgeCheckout(evidence: Evidence, git: Git, tip: string): Promise<Violation[]> {
  const { scene } = evidence;
  const violations = await judgeUser(evidence);
  if (isClean(scene)) {
    if (tip !== 'refs/heads/main')
      violations.push({ kind: 'lost', text: 'a clean checkout was not moved along' });
    const status = await git('status', '--porcelain', '--ignored');
    if (status !== '!! .harness/')
      violations.push({ kind: 'userHarmed', text: `the checkout is not clean: ${status}` });
  }
  if (scene === 'moving' && existsSync(join(evidence.dir, 'committed-by-hand'))) {
    const files = (await git('ls-tree', '--name-only', tip)).split('\n');
    if (!files.includes(BY_HAND))
      violations.push({ kind: 'userHarmed', text: 'what was committed by hand is gone' });
  }
  return violations;
}

/** What is the user's own is as it was, or whole at the next landed commit, and no lock is on it. */
export async function judgeUser({ dir, scene, before }: Ground): Promise<Violation[]> {
  const root = join(dir, 'p');
  const violations: Violation[] = [];
  if (existsSync(join(root, '.git', 'index.lock')))
    violations.push({ kind: 'userHarmed', text: 'index.lock is left in the checkout' });
  if (isClean(scene)) {
    const { stdout } = await execute('git', ['status', '--porcelain'], { cwd: root, env: getUserEnv() });
    if (stdout !== '')
      violations.push({ kind: 'userHarmed', text: `the checkout is half-written: ${stdout}` });
    return violations;
  }
  const moves =
    scene === 'dirty' || scene === 'remote' ? [] : ['.git/refs/heads/main', '.git/logs/refs/heads/main'];
  const changed = getDifferences(before, takeImage(root)).filter(path => !moves.includes(path));
  if (changed.length > 0)
    violations.push({ kind: 'userHarmed', text: `of the user's: ${changed.join(', ')} changed` });
  return violations;
}

async function judgeObjects(git: Git): Promise<Violation[]> {
  try {
    await git('fsck', '--no-dangling', '--no-progress');
    return [];
  } catch (error) {
    return [{ kind: 'lost', text: `git fsck: ${String(error).slice(0, 300)}` }];
  }
}
