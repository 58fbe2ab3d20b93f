import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../support/postgres.ts';
import type { Breakage } from './breakages.ts';
import type { Harm } from './failpoints.ts';
import { judge, judgeHarmed, judgeOther, type Violation } from './judge.ts';
import { type ChildResult, type Procs, runChild } from './run-child.ts';
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
  /** How often each thing happened. */
  readonly harms: Readonly<Partial<Record<Harm, number>>>;
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
  /** One server for all rounds, started by the first that asks for it. */
  readonly postgres: () => Promise<PostgresServer>;
  readonly breakage: Breakage | null;
  readonly procs: Procs | null;
  readonly keep: boolean;
}

/** Kills and restarts as planned, lets the last run come to rest, then judges what is there. */
export async function runRound(shop: Workshop, plan: Plan): Promise<RoundReport> {
  const { program, parent, breakage, procs, keep } = shop;
  const notes = mkdtempSync(join(parent, 'notes-'));
  const { dir, storeUrl, close } = await openScene(shop, plan.scene, plan.kills.some(isFill));
  const before = takeImage(join(dir, 'p'));
  const results: ChildResult[] = [];
  const others: ChildResult[] = [];
  const killedAt: string[] = [];
  const early: Violation[] = [];
  for (const kill of [...plan.kills, null]) {
    const request = { program, dir, notes, scene: plan.scene, storeUrl, breakage, procs };
    const number = String(results.length + 1);
    const [result, other] = await Promise.all([
      runChild({ ...request, kill, number }),
      plan.scene === 'together' ? runChild({ ...request, kill: null, number: `${number}-other` }) : null,
    ]);
    results.push(result);
    if (other !== null) others.push(other);
    if (other !== null && result.harmed === null) early.push(...judgeOther(other));
    if (result.harmed !== null)
      early.push(...(await judgeHarmed({ dir, scene: plan.scene, before }, result)));
    if (result.end !== 'killed' && result.harmed === null) break;
    killedAt.push(kill ?? '');
  }
  const violations = [
    ...early,
    ...(await judge({
      dir,
      scene: plan.scene,
      storeUrl,
      before,
      results: [...others, ...results],
      findsProcesses: procs === null || procs === 'proc',
    })),
  ];
  const isKept = keep && violations.length > 0;
  if (!isKept) {
    await close();
    rmSync(notes, { recursive: true, force: true });
  }
  return {
    plan,
    killedAt,
    harms: countHarms(results),
    passed: results.map(result => result.passed),
    violations,
    keptDir: isKept ? dir : null,
  };
}

function isFill(kill: string): boolean {
  return kill.startsWith('fill');
}

function countHarms(results: readonly ChildResult[]): Partial<Record<Harm, number>> {
  const counts: Partial<Record<Harm, number>> = {};
  for (const { end, harmed } of results) {
    const harm = harmed ?? (end === 'killed' ? 'kill' : null);
    if (harm) counts[harm] = (counts[harm] ?? 0) + 1;
  }
  return counts;
}

/** A plan as one line that `--replay` takes. */
export function getPlanText(plan: Plan): string {
  return [plan.scene, ...plan.kills].join(' ');
}
