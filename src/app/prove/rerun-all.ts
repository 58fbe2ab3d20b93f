import { createRandom } from '../../adapters/process/random.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { type Audited, isVouched } from '../../core/proof/audit.ts';
import type { Proof } from '../../core/proof/proof-schema.ts';
import { getListedText, readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Landed, LandedHistory } from '../project/landed/landed.ts';
import { readLandedDefinition } from '../project/landed/landed.ts';
import type { Project } from '../project/open-project.ts';
import { readTreeId, runOwnAtTip } from './own-at-tip.ts';
import { type ReproveOptions, reprove } from './reprove.ts';

/** What came of proving a landing again. */
export interface Rerun {
  readonly ok: boolean;
  readonly verdict: string;
  readonly result: string;
  readonly differences: readonly string[];
}

/** A landed task whose own proof fails at the tip. */
export interface Reopened {
  readonly task: string;
  readonly reason: string;
}

/** Proves every landing again, oldest first, and then all of them at the tip; what one of them ran, the next need not. */
export async function rerunAll(
  project: Project,
  looked: readonly LookedAt[],
  history: LandedHistory,
  watched: Pick<ReproveOptions, 'reporter' | 'signal'>,
): Promise<{ readonly reruns: ReadonlyMap<string, Rerun>; readonly reopened: readonly Reopened[] }> {
  const reruns = new Map<string, Rerun>();
  const store = createMemoryStore(Date.now, createRandom().token);
  const reopened: Reopened[] = [];
  for (const { landed, audited, proof } of looked) {
    const { task, commit, tree, base } = landed;
    if (base === null || isVouched(audited)) continue;
    const landing = { task, commit, tree, base, named: landed.proof ?? null, proof };
    const options = { ...watched, store };
    const { judgement, comparison } = await reprove(project, landing, options);
    const { word: outcome } = judgement.verdict;
    const result = comparison?.result ?? 'not-recorded';
    const ok = outcome === 'proven' && result !== 'different';
    reruns.set(commit, { ok, verdict: outcome, result, differences: comparison?.differences ?? [] });
  }
  const tree = await readTreeId(history.ctx, history.tree);
  const { reporter, signal } = watched;
  for (const def of await readStanding(project, history, looked)) {
    const lines = await runOwnAtTip(project, def, tree, { reporter, signal, store });
    const red = lines.find(({ status }) => status !== 'passed');
    if (red) reopened.push({ task: def.id, reason: `${red.commands[0]} fails at the tip: ${red.summary}` });
  }
  return { reruns, reopened };
}

/** What is proven and still wanted: as the backlog at the tip has it, or as it landed where no backlog lists it. */
async function readStanding(
  project: Project,
  { ctx }: LandedHistory,
  looked: readonly LookedAt[],
): Promise<readonly TaskDef[]> {
  const { tasks } = project.backlog.parse(getListedText(project, await readBacklogAtTip(project)));
  const listed = new Map(tasks.map(task => [task.def.id, task] as const));
  const newest = new Map(looked.map(one => [one.landed.task, one] as const));
  const found: TaskDef[] = [];
  for (const [id, { landed, audited }] of newest) {
    if (audited.status === 'unproven') continue;
    const task = listed.get(id);
    const def = task
      ? task.passes
        ? task.def
        : null
      : await readLandedDefinition(project, landed.commit, ctx);
    if (def) found.push(def);
  }
  return found;
}

/** A landing that was looked at, with its proof where that can be believed. */
export interface LookedAt {
  readonly landed: Landed;
  readonly audited: Audited;
  readonly proof: Proof | null;
}
