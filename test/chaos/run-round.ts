import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Breakage } from './breakages.ts';
import { judge, type Violation } from './judge.ts';
import { type ChildResult, runChild } from './run-child.ts';
import { openScene, type Scene } from './scenes.ts';
import { takeImage } from './take-image.ts';

/** One story: a scene, and where each of its runs is killed. */
export interface Plan {
  readonly scene: Scene;
  readonly kills: readonly string[];
}

export interface RoundReport {
  readonly plan: Plan;
  /** The kills that happened, in order; the rest of the plan was not reached. */
  readonly killedAt: readonly string[];
  /** The failpoints each run came past. */
  readonly passed: readonly ReadonlyMap<string, number>[];
  readonly violations: readonly Violation[];
  /** Set when the round was red and is kept for a look. */
  readonly keptDir: string | null;
}

export interface Workshop {
  readonly program: string;
  readonly templates: string;
  readonly parent: string;
  readonly breakage: Breakage | null;
  readonly keep: boolean;
}

/** Kills and restarts as planned, lets the last run come to rest, then judges what is there. */
export async function runRound(shop: Workshop, plan: Plan): Promise<RoundReport> {
  const { program, templates, parent, breakage, keep } = shop;
  const dir = openScene(templates, plan.scene, parent);
  const before = takeImage(join(dir, 'p'));
  const results: ChildResult[] = [];
  const killedAt: string[] = [];
  for (const kill of [...plan.kills, null]) {
    const number = results.length + 1;
    const result = await runChild({ program, dir, scene: plan.scene, breakage, kill, number });
    results.push(result);
    if (result.end !== 'killed') break;
    killedAt.push(kill ?? '');
  }
  const violations = await judge({ dir, scene: plan.scene, before, results });
  const isKept = keep && violations.length > 0;
  if (!isKept) rmSync(dir, { recursive: true, force: true });
  return {
    plan,
    killedAt,
    passed: results.map(result => result.passed),
    violations,
    keptDir: isKept ? dir : null,
  };
}

/** A plan as one line that `--replay` takes. */
export function getPlanText(plan: Plan): string {
  return [plan.scene, ...plan.kills].join(' ');
}
