import { readRef } from '../../adapters/git/landing/refs.ts';
import { getCommitFacts, readObjects } from '../../adapters/git/objects/objects.ts';
import { type GitContext, openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { getRepoEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { openWorkspace } from '../../adapters/git/workspace.ts';
import { withBacklog } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { hasOwnProof } from '../../core/state/regression.ts';
import type { State } from '../../core/state/state.ts';
import { getResumed, type HandOverInput } from '../people/hand-over.ts';
import { HANDOFF_REF } from '../people/handed-over.ts';
import { readPersonName, recordDecision } from '../people/person.ts';
import { readBacklogAtTip, syncBacklog } from '../project/backlog-at-tip.ts';
import { createVet } from '../project/landed/vet-landed.ts';
import type { Project } from '../project/open-project.ts';
import type { Watch } from '../project/watch.ts';
import { judgeByHand } from '../prove/judge-by-hand.ts';
import { type MeasuredByHand, measureByHand } from '../prove/measure-by-hand.ts';

/** What became of a project that a person had for themselves. */
export interface TakenBack {
  readonly by: string;
  /** What they committed meanwhile, oldest first. */
  readonly commits: readonly string[];
  readonly proven: readonly string[];
  readonly open: readonly { readonly task: string; readonly reason: string }[];
  /** The commit that marks them; null where there is nothing to mark. */
  readonly commit: string | null;
  /** The new baseline; null where nothing was committed, or no suite says anything. */
  readonly tests: MeasuredByHand['tests'];
  /** What passed where they began and fails now: asked about before an agent goes on. */
  readonly red: readonly string[];
  /** Landed tasks that their work broke. */
  readonly reopened: readonly string[];
  readonly next: string;
}

/** Looks at what was committed since everything was handed over, marks the tasks that it proves, and lets runs go on. */
export async function submitAll(
  project: Project,
  { by: given, ...watch }: Omit<HandOverInput, 'task'> & Watch,
): Promise<TakenBack> {
  const by = await readPersonName(project.root, given);
  const ctx = openContext(project.repo, runGit);
  const from = await readRef(ctx, HANDOFF_REF);
  if (from === null)
    throw new HarnessError('usage', 'nothing was handed to anybody', { fix: 'harness handoff' });
  const store = await project.store();
  const found = await readBacklogAtTip(project);
  await syncBacklog(project, store, found);
  const workspace = openTip(project);
  // What lay there before is nobody's work of now; what was committed since is judged below.
  await createVet(project)({ base: found.heads.base, landed: found.heads.landed && from });
  const tip = await workspace.tip();
  const commits = await readCommits(ctx, from, tip.commit);
  const base = { commit: from, tree: await readTree(ctx, from) };
  const { state } = await recordDecision(store, () => []);
  const proven: TaskDef[] = [];
  const open: { task: string; reason: string }[] = [];
  for (const task of commits.length > 0 ? getOpen(state) : []) {
    const found = await judgeByHand(project, { task, base, tip }, watch);
    if (found.proven) proven.push(task);
    else open.push({ task: task.id, reason: found.reason });
  }
  const commit = proven.length === 0 ? null : await mark(project, proven, by);
  const marked = commit === null ? tip : { commit, tree: await readTree(ctx, commit) };
  const measured =
    commits.length > 0 ? await measureByHand(project, { state, base, tip: marked }, watch) : null;
  await recordDecision(store, now => [
    ...(commit === null
      ? []
      : proven.map(
          ({ id }) => ({ type: 'work.accepted', task: id, by, base: from, commit: tip.commit }) as const,
        )),
    ...(measured?.events ?? []).filter(
      event => event.type !== 'task.reopened' || now.tasks.get(event.task)?.status === 'landed',
    ),
    ...getResumed(now.people.control, by),
  ]);
  await runRepo(ctx, ['update-ref', '-d', HANDOFF_REF, from], { env: getRepoEnv(ctx.repo.commonDir) });
  return {
    by,
    commits,
    proven: proven.map(({ id }) => id),
    open,
    commit,
    ...getMeasured(measured),
    next: 'harness run --all',
  };
}

function getMeasured(measured: MeasuredByHand | null): Pick<TakenBack, 'tests' | 'red' | 'reopened'> {
  const { tests = null, red = [], reopened = [] } = measured ?? {};
  return { tests, red, reopened };
}

function openTip({ policy, repo }: Project) {
  const plain = openWorkspace({ repo, land: policy.land, runGit });
  return withBacklog(plain, policy);
}

/** Those of the backlog that something can prove and nobody works on. */
function getOpen({ tasks }: State): readonly TaskDef[] {
  const isOpen = new Set(['pending', 'retry', 'failed', 'blocked']);
  return [...tasks.values()]
    .filter(({ status, def }) => isOpen.has(status) && def.kind === undefined && hasOwnProof({ def }))
    .filter(({ def }) => def.verificationType === 'automated')
    .map(({ def }) => def);
}

const MAX_RACES = 5;

/** One commit on the tip that sets their flags and nothing else. */
async function mark(project: Project, tasks: readonly TaskDef[], by: string): Promise<string> {
  const workspace = openTip(project);
  const path = project.policy.backlogPath;
  for (let tries = 0; tries < MAX_RACES; tries++) {
    const tip = await workspace.tip();
    const before = (await workspace.readFile(tip.commit, path)) ?? '';
    const text = tasks.reduce((now, { id }) => project.backlog.setPasses(now, id, true), before);
    const tree = await workspace.compose({ tree: tip.tree, put: [{ path, text }] });
    const names = tasks.map(({ id, title }) => `- ${id}: ${title}`).join('\n');
    const message = `Take back what ${by} did\n\nTheir own tests were red before and pass now:\n${names}\n`;
    const commit = await workspace.commit({ tree, parent: tip.commit, message, atMs: Date.now() });
    const landed = await workspace.land({ commit, expected: tip.commit });
    if (landed.ok) return commit;
  }
  throw new HarnessError('locked', 'other work keeps landing', { fix: 'run harness takeback again' });
}

/** Those of people: what a run landed meanwhile was judged when it did. */
async function readCommits(ctx: GitContext, from: string, to: string): Promise<readonly string[]> {
  const byPeople = ['--invert-grep', '--grep=^Harness-Task: '];
  const { stdout } = await runRepo(ctx, [
    'log',
    '--reverse',
    ...byPeople,
    '--format=%h %s',
    `${from}..${to}`,
  ]);
  return stdout.toString('utf8').split('\n').filter(Boolean);
}

async function readTree(ctx: GitContext, commit: string): Promise<string> {
  const [object] = await readObjects(ctx, [commit]);
  return object ? getCommitFacts(object).tree : '';
}
