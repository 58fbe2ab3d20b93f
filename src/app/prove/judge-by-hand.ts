import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import { judge } from '../../checks/run/judge.ts';
import { matchesAny } from '../../core/base/glob.ts';
import { isBacklogPath } from '../../core/model/policy.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { NOT_REPEATABLE } from '../../core/proof/proof.ts';
import type { Ports } from '../../ports/index.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { runOwnOn } from './own-at-tip.ts';

/** Commits of a person on the base itself, and what they might have done with them. */
interface WorkOnBase {
  readonly task: TaskDef;
  /** Where they began. */
  readonly base: { readonly commit: string; readonly tree: string };
  readonly tip: { readonly commit: string; readonly tree: string };
}

export interface ByHand {
  readonly proven: boolean;
  readonly reason: string;
}

/** Whether that work did a task: by the task's own tests, red before and green now, and every check that can be asked again. */
export async function judgeByHand(project: Project, work: WorkOnBase, watch: Watch): Promise<ByHand> {
  const { reporter, signal } = getWatch(watch);
  const ports = await openProofPorts(project, { reporter });
  const { slot, release } = takeVerifySlot((ports.workspace as GitWorkspace).home);
  try {
    const ctx = { ports, policy: project.policy, slot, signal };
    const own = await runOwnOn(ctx, work.task, work.tip.tree);
    const red = own.find(({ status }) => status !== 'passed');
    if (own.length === 0) return { proven: false, reason: 'nothing proves it' };
    if (red) return { proven: false, reason: `${red.check}: ${red.summary}` };
    const { verdict } = await judge({
      ...{ ports, policy: project.policy, task: work.task, attempt: { slot }, signal },
      ...(await composeWork(project, ports, work)),
      without: new Set(NOT_REPEATABLE),
    });
    return { proven: verdict.word === 'proven', reason: verdict.reason };
  } finally {
    release();
  }
}

/**
 * The work as a candidate with the task's flag on it. What a person committed to files that no agent may change, tests
 * above all, is how these have to be: the base that it is held against has them already.
 */
async function composeWork({ policy, backlog }: Project, { workspace, store }: Ports, work: WorkOnBase) {
  const { task, base, tip } = work;
  const changes = await workspace.changes(base.commit, tip.commit);
  const given = changes.filter(
    ({ path }) => isBacklogPath(policy, path) || matchesAny(path, policy.protectedGlobs),
  );
  const gone = given.filter(({ kind }) => kind === 'deleted').map(({ path }) => path);
  const paths = given.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const atMs = await store.nowMs();
  const baseTree = await workspace.compose({
    tree: base.tree,
    ...(paths.length > 0 ? { take: [{ from: tip.commit, paths }] } : {}),
    ...(gone.length > 0 ? { drop: gone } : {}),
  });
  const message = `Work by hand on task ${task.id}`;
  const from = await workspace.commit({ tree: baseTree, parent: base.commit, message, atMs });
  const path = policy.backlogPath;
  const text = backlog.setPasses((await workspace.readFile(tip.commit, path)) ?? '', task.id, true);
  const tree = await workspace.compose({ tree: tip.tree, put: [{ path, text }] });
  const commit = await workspace.commit({ tree, parent: from, message, atMs });
  return {
    base: { commit: from, tree: baseTree },
    candidate: { commit, tree, backlogProblems: [], claims: [task.id] },
  };
}
