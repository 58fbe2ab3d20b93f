import { posix } from 'node:path';
import { addTo } from './changes/add.ts';
import type { Change, Sheet } from './changes/change.ts';
import { GENERATORS } from './changes/index.ts';
import { pickUnlucky } from './changes/names.ts';
import { type Fn, getFn, SAMPLES } from './functions.ts';
import { createSeeded, type Random } from './random.ts';
import { getTestText } from './test-text.ts';
import { getModules, type Tree, type Ways } from './tree.ts';

/** A task with its approved test, and a change that does it and one thing more. */
export interface Drawn extends Change {
  readonly kind: string;
  readonly fn: Fn;
  readonly test: { readonly path: string; readonly text: string };
}

/** The same seed draws the same change in the same tree. */
export function drawChange(tree: Tree, ways: Ways, mark: string, seed: string): Drawn | null {
  const random = createSeeded(seed);
  const fn = getFn(random.pick(SAMPLES), mark, ways.language);
  const home = pickHome(tree, ways, fn, random);
  const isNewHome = !tree.has(home);
  const sheet: Sheet = { tree: addTo(tree, ways, home, fn), ways, fn, home, isNewHome, mark };
  const path = ways.testPath(fn.name);
  const test = { path, text: getTestText(fn, ways.runner, path, home) };
  const kind = random.pick(Object.keys(GENERATORS));
  const change = GENERATORS[kind]?.(sheet, random) ?? null;
  return change === null
    ? null
    : { ...change, kind, fn, test, what: `${fn.name} in ${home}; ${change.what}` };
}

/** A module that is there, or a new one, whose name may sound like a test's. */
function pickHome(tree: Tree, ways: Ways, fn: Fn, random: Random): string {
  const modules = getModules(tree, ways).filter(path => !path.endsWith('__init__.py'));
  const near = random.pick(modules);
  const dir = posix.dirname(near);
  const plain = posix.join(dir, `${fn.name}.${ways.language}`);
  return [near, plain, pickUnlucky(tree, ways, dir, random)][random.below(3)] ?? near;
}
