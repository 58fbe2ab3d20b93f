import { readRef } from '../../../adapters/git/landing/refs.ts';
import { getCommitFacts, readObjects } from '../../../adapters/git/objects/objects.ts';
import { expectOk, type GitContext, openContext, runRepo } from '../../../adapters/git/repo/context.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { openWorkspace } from '../../../adapters/git/workspace.ts';
import { readPersonName, recordWord, refuseActive } from '../../../app/people/person.ts';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getKnownTask } from '../../../app/project/check-task.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { syncBacklog } from '../../../app/project/read-index.ts';
import { readLiving } from '../../../app/project/read-living.ts';
import { isPlanFolder } from '../../../backlog/codec.ts';
import { withFolderBacklog } from '../../../backlog/folder-workspace.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { EventOf, HarnessEvent } from '../../../core/events/event.ts';
import {
  getAttemptRef,
  getCommitMessage,
  getHandoffBranch,
  HANDOFF_PREFIX,
} from '../../../core/proof/commit-message.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import { readLines } from '../../../session/read-lines.ts';
import { getRunExitCode, getRunLines } from '../../render/run-end.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { runWatched } from '../work/run.ts';

export interface TakebackOptions extends CommonOptions {
  readonly by?: string;
}

type HandedIn = EventOf<'work.handed-in'>;

/** `harness takeback`: what a person committed is judged like anybody's work, and lands by the same proof. */
export async function takeback(io: Io, id: string | undefined, options: TakebackOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const ctx = openContext(project.repo, runGit);
  const task = id ?? (await findOnly(ctx));
  const store = await openProjectStore(project);
  let isRunning = false;
  try {
    const found = await readBacklogAtTip(project);
    await syncBacklog(project, store, found);
    const work = await readWork(ctx, project, task, found.tip?.commit ?? found.heads.base);
    for (let isDone = false; !isDone; ) {
      const { state } = await recordWord(store, () => []);
      const known = getKnownTask(state, task, '<task>');
      check(known);
      const event = await makeCandidate(project, known, work, by);
      const started = known.started;
      ({ recorded: isDone } = await recordWord(store, now =>
        now.tasks.get(task)?.started === started ? [event, ...getResumed(now.people.control, by)] : [],
      ));
      isRunning = (await readLiving(state)).length > 0;
    }
  } finally {
    await store.close();
  }
  if (!isRunning) {
    const json = options.json ?? false;
    const result = await runWatched(project, { task }, { io, json }).finally(project.close);
    io.exit(getRunExitCode(result));
    if (json) io.out(JSON.stringify(result));
    else
      for (const line of getRunLines(result))
        if (typeof line === 'string') io.out(line);
        else io.err(line.aside);
    return;
  }
  const next = 'harness status   (the run under way judges it)';
  if (options.json) io.out(JSON.stringify({ task, recorded: true, next }));
  else io.out(`task ${task}: taken back from ${by}\nnext: ${next}`);
}

function check(task: TaskState): void {
  const { id } = task.def;
  refuseActive(task, `harness takeback ${id}`);
  if (task.status !== 'landed') return;
  const fix = `harness verify ${id} proves it again`;
  throw new HarnessError('usage', `task ${id} has landed already`, { field: '<task>', fix });
}

/** A pause that was only there for the person's sake ends with it. */
function getResumed(
  { mode, reason }: { readonly mode: string; readonly reason: string },
  by: string,
): readonly HarnessEvent[] {
  if (mode !== 'paused' || reason !== 'handoff') return [];
  return [{ type: 'control.changed', mode: 'running', by, reason: 'takeback' }];
}

async function findOnly(ctx: GitContext): Promise<string> {
  const { stdout } = await runRepo(ctx, [
    'for-each-ref',
    '--format=%(refname:lstrip=2)',
    `refs/heads/${HANDOFF_PREFIX}`,
  ]);
  const names = stdout.toString('utf8').split('\n').filter(Boolean);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only.slice(HANDOFF_PREFIX.length);
  const message = names.length === 0 ? 'nothing was handed to anybody' : 'more than one task was handed over';
  const fix = names.length === 0 ? 'harness handoff <task>' : 'name the task: harness takeback <task>';
  throw new HarnessError('usage', message, { field: '<task>', fix });
}

interface Work {
  readonly tree: string;
  readonly base: string;
  readonly baseTree: string;
}

/** What is on the person's branch, and the commit of the tip's history that it stands on. */
async function readWork(ctx: GitContext, project: Project, task: string, tip: string): Promise<Work> {
  const branch = getHandoffBranch(task);
  const head = await readRef(ctx, `refs/heads/${branch}`);
  if (head === null) {
    const fix = `harness handoff ${task} makes it`;
    throw new HarnessError('usage', `there is no branch ${branch}`, { field: '<task>', fix });
  }
  const base = expectOk(ctx, 'finding where the branch begins', await runRepo(ctx, ['merge-base', head, tip]))
    .toString('utf8')
    .trim();
  const [own, from] = await readObjects(ctx, [head, base]);
  const tree = own && getCommitFacts(own).tree;
  const baseTree = from && getCommitFacts(from).tree;
  if (!tree || !baseTree || tree === baseTree) {
    const fix = `git switch ${branch}, commit your work there, then harness takeback ${task}`;
    throw new HarnessError('usage', `there is nothing on ${branch} that ${project.policy.baseBranch} lacks`, {
      field: '<task>',
      fix,
    });
  }
  return { tree, base, baseTree };
}

/** One commit on its base, marked as done, as a snapshot of an agent's work would be. */
async function makeCandidate(project: Project, task: TaskState, work: Work, by: string): Promise<HandedIn> {
  const { policy, repo, backlog } = project;
  const plain = openWorkspace({ repo, land: policy.land, runGit });
  const workspace = isPlanFolder(policy.backlogPath) ? withFolderBacklog(plain, policy.backlogPath) : plain;
  const { def } = task;
  const { base, baseTree } = work;
  const path = policy.backlogPath;
  const text = backlog.setPasses((await workspace.readFile(base, path)) ?? '', def.id, true);
  const tree = await workspace.compose({ tree: work.tree, put: [{ path, text }] });
  const attempt = task.started + 1;
  const message = getCommitMessage(def, attempt, null, null, by);
  const commit = await workspace.commit({ tree, parent: base, message, atMs: Date.now() });
  await workspace.keep(getAttemptRef(def.id, attempt), commit);
  const lines = await readLines({ policy, ports: { workspace } }, base, commit);
  const candidate = { commit, tree, backlogProblems: [], claims: [def.id], lines };
  return { type: 'work.handed-in', task: def.id, by, base, baseTree, candidate };
}
