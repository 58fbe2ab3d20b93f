import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeHarnessGit } from '../src/adapters/git/repo/git-dir.ts';
import { getCheckoutEnv, getOwnEnv, getRepoEnv, SAFE_CONFIG } from '../src/adapters/git/repo/git-env.ts';
import type { RepoFacts } from '../src/adapters/git/repo/repo.ts';
import { runGit } from '../src/adapters/git/repo/run-git.ts';
import { writeWork } from './fake-work.ts';
import { getMedian, round } from './result.ts';
import { getTestPath, runSetup } from './sample-repo.ts';
import type { Scenario } from './session.ts';

export interface GitFloor {
  /** The git commands of one session, one after the other; returns how long they took. */
  run(task: string, scenario: Scenario): Promise<number>;
}

/** What starting git at all takes: no session can do with less than some of these. */
export async function measureGitSpawn(): Promise<number> {
  const samples: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const startedMs = performance.now();
    await runGit(['version'], { env: { PATH: process.env.PATH ?? '' } });
    samples.push(performance.now() - startedMs);
  }
  return round(getMedian(samples));
}

/** A task's own tests are run so often on each side. */
const OWN_TEST_RUNS = 2;

/** The whole suite, and a variant that is broken on purpose. */
const OTHER_RUNS = 2;

/** About as long as a proof. */
const NOTE = 'x'.repeat(6_000);

/**
 * The bare git of a session in a repository of the same content, with the same settings and the same
 * flushes: reset the agent's worktree, take what it left as a commit and name it, lay that out for
 * each test run, move the branch with the checkout on it, and attach a note to what landed. Nothing is
 * read, checked, recorded or protected from a kill.
 */
export function openFloor(repo: RepoFacts, dir: string): GitFloor {
  const slot = openTree(repo, join(dir, 'slot'));
  const candidateTree = openTree(repo, join(dir, 'candidate'));
  const baseTree = openTree(repo, join(dir, 'base'));
  let tip = runSetup(repo.root, 'rev-parse', 'HEAD');
  return {
    async run(task, { work, land }) {
      const clock = createClock();
      await slot(['read-tree', '--reset', '-u', tip]);
      await slot(['clean', '-ffdq']);
      clock.pause();
      writeWork(join(dir, 'slot', 'tree'), task, work);
      clock.resume();
      await slot(['add', '-A']);
      const tree = await slot(['write-tree']);
      const commit = await slot(['commit-tree', tree, '-p', tip, '-m', `Feature ${task}`]);
      await runInRepo(repo, ['update-ref', `refs/harness/attempts/${task}/${commit}`, commit]);
      await slot(['diff-tree', '-r', '-z', tip, commit]);
      await layOut(candidateTree, tree);
      if (work === 'bad') return clock.stop();
      for (let run = 0; run < OWN_TEST_RUNS; run++) {
        await layOut(baseTree, tip);
        await baseTree(['checkout', '-q', commit, '--', getTestPath(task)]);
        if (run > 0) await layOut(candidateTree, tree);
      }
      for (let run = 0; run < OTHER_RUNS; run++) await layOut(candidateTree, tree);
      if (land === 'base') await moveCheckout(repo, tip, commit);
      await runInRepo(repo, [
        'update-ref',
        `refs/heads/${land === 'base' ? repo.baseBranch : 'harness/landed'}`,
        commit,
      ]);
      await runInRepo(repo, ['notes', '--ref=floor', 'add', '-f', '-m', NOTE, commit]);
      tip = commit;
      return clock.stop();
    },
  };
}

type RunInTree = (args: string[]) => Promise<string>;

function openTree(repo: RepoFacts, dir: string): RunInTree {
  const [workTree, gitDir] = [join(dir, 'tree'), join(dir, 'harness.git')];
  mkdirSync(workTree, { recursive: true });
  writeHarnessGit(repo, gitDir);
  const { commonDir, objectsDir } = repo;
  const env = getOwnEnv({ gitDir, commonDir, objectsDir, workTree });
  return args => run(args, workTree, env);
}

async function layOut(tree: RunInTree, treeish: string): Promise<void> {
  await tree(['read-tree', '--reset', '-u', treeish]);
  await tree(['clean', '-ffdxq', '--exclude=node_modules/']);
}

async function moveCheckout(repo: RepoFacts, from: string, to: string): Promise<void> {
  const env = getCheckoutEnv(repo.gitDir, repo.root);
  await run([...SAFE_CONFIG, 'status', '--porcelain', '-z', '--untracked-files=no'], repo.root, env);
  await run([...SAFE_CONFIG, 'read-tree', '-m', '-u', from, to], repo.root, env);
}

function runInRepo(repo: RepoFacts, args: string[]): Promise<string> {
  return run([...SAFE_CONFIG, ...args], repo.commonDir, getRepoEnv(repo.commonDir));
}

async function run(args: string[], cwd: string, env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runGit(args, { cwd, env });
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString('utf8').trim();
}

function createClock(): { pause(): void; resume(): void; stop(): number } {
  let totalMs = 0;
  let sinceMs = performance.now();
  const pause = (): void => {
    totalMs += performance.now() - sinceMs;
  };
  return {
    pause,
    resume: () => {
      sinceMs = performance.now();
    },
    stop: () => {
      pause();
      return totalMs;
    },
  };
}
