import { fold } from '../../src/core/events/fold.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import { runLoop } from '../../src/loop/loop.ts';
import { createBench } from '../support/bench.ts';
import {
  answerLanded,
  createLandedBacklog,
  createLandedHeldOut,
  createLandedProject,
  getParts,
  isDone,
  type Ways,
} from './landed-project.ts';
import { Chance } from './random.ts';
import { simPolicy } from './sim-policy.ts';

export interface LandedNight {
  readonly violations: readonly string[];
  readonly landed: number;
  readonly broken: number;
  readonly reopened: number;
}

/**
 * Some runs over a random backlog: tasks proven in every way, agents that break what others did, a person who
 * commits such breaks in between, any amount of time for the proofs of landed tasks, any limit of a run.
 */
export async function playLandedNight(seed: number): Promise<LandedNight> {
  const chance = new Chance(seed);
  const { ways, files } = createLandedProject(chance);
  let broken = 0;
  const bench = createBench(files, {
    answer: answerLanded,
    agent: async ({ cwd, task }) => {
      const own = bench.git.slots.get(Number(cwd.slice('slot-'.length))) ?? {};
      for (const path of getParts(ways, task.id)) own[path] = 'good';
      if (chance.happens(0.4)) broken += breakSome(ways, task.id, own, chance);
      if (chance.happens(0.2)) bench.git.userCommit(theirs => breakSome(ways, '', theirs, chance));
      if (chance.happens(0.1)) return { outcome: 'not-done', summary: 'too hard', usage: NO_USAGE };
      return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
    },
  });
  const ports = { ...bench.ports, backlog: createLandedBacklog(ways), heldOut: createLandedHeldOut(ways) };
  const budgetMs = chance.pick([0, 60_000]);
  const policy = {
    ...simPolicy,
    regression: { budgetMs, interval: 1 + chance.below(3) },
    limits: { ...simPolicy.limits, cleanupInterval: 0 },
  };
  const violations: string[] = [];
  for (let run = 1; run <= 3; run++) {
    const maxSessions = chance.pick([null, 1, 2, 5]);
    const options = { maxSessions, onlyTask: null, signal: new AbortController().signal, version: 'sim' };
    const { why } = await runLoop(ports, policy, options);
    const state = fold(await ports.store.read({}));
    const tip = bench.git.filesOf(bench.git.base);
    for (const { def, status } of state.tasks.values())
      if (status === 'landed' && !isDone(ways, def.id, tip))
        violations.push(
          `run ${run} (${why}): task ${def.id} (${ways[def.id]}) is landed, and its proof fails`,
        );
  }
  if (budgetMs > 0) violations.push(...findUndone(bench.git.history(bench.git.base), ways));
  const events = (await ports.store.read({})).map(({ event }) => event.type);
  const count = (type: string) => events.filter(one => one === type).length;
  return { violations, landed: count('task.landed'), broken, reopened: count('task.reopened') };
}

/** Makes something bad that is somebody else's, or takes it away. */
function breakSome(ways: Ways, id: string, files: Record<string, string>, chance: Chance): number {
  const others = Object.keys(ways).filter(other => other !== id);
  const path = chance.pick(getParts(ways, chance.pick(others)));
  if (files[path] !== 'good') return 0;
  if (chance.happens(0.5)) files[path] = 'bad';
  else delete files[path];
  return 1;
}

/** Landings, newest first, that broke what proved an earlier one: with time for it, none comes that far. */
function findUndone(
  history: readonly { readonly tree: string; readonly message: string }[],
  ways: Ways,
): string[] {
  const getTask = (message: string) => /Harness-Task: (\S+)/.exec(message)?.[1];
  return history.flatMap(({ tree, message }, at) => {
    const [task, parent] = [getTask(message), history[at + 1]];
    if (task === undefined || !parent) return [];
    const [before, after] = [parent.tree, tree].map(text => JSON.parse(text) as Record<string, string>);
    const earlier = history.slice(at + 1).flatMap(one => getTask(one.message) ?? []);
    return [...new Set(earlier)]
      .filter(id => id !== task && isDone(ways, id, before ?? {}) && !isDone(ways, id, after ?? {}))
      .map(id => `task ${task} landed and undid task ${id} (${ways[id]})`);
  });
}
