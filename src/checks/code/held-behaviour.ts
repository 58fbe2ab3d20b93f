import { getChangedLines } from '../../core/code/changed-lines.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { type ChangedSource, readChangedSources } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { readRuns } from '../shared/read-judge-files.ts';
import { getOwnRun, getVariant, isNoticed, type RunOn, type Variant } from '../shared/variants.ts';

/** Changed lines no further apart than this are one place. */
const GAP = 3;

/**
 * Work that leaves behaviour as it was is worth what holds that behaviour: every changed place is the same code in
 * another layout, or tests notice when it is broken. What nothing holds is for a person.
 */
export async function judgeHeldBehaviour(ctx: CheckContext, own: TestRun) {
  const endMs = ctx.ports.clock.monotonicMs() + ctx.policy.mutation.budgetMs;
  const ask = await openAsk(ctx, own);
  const open: string[] = [];
  let [held, same] = [0, 0];
  for (const source of await readChangedSources(ctx)) {
    if (await isSameCode(ctx, source)) {
      same++;
      continue;
    }
    for (const place of await findPlaces(ctx, source)) {
      const isHeld = ctx.ports.clock.monotonicMs() <= endMs && (await ask(place.variants));
      if (isHeld) held++;
      else open.push(`${source.path}:${place.line} can be broken without a test that notices`);
    }
  }
  const commands = [own.command];
  if (open.length > 0) {
    const summary = `tests do not hold what was changed in ${open.length} of ${open.length + held} places`;
    return { status: 'needs-human', summary, findings: open.slice(0, 20), commands } as const;
  }
  const layout = same > 0 ? `, ${same} files differ in their layout only` : '';
  const summary = `tests notice when any of ${held} changed places is broken${layout}`;
  return { status: 'passed', summary, commands } as const;
}

async function isSameCode({ ports }: CheckContext, { path, before, after }: ChangedSource): Promise<boolean> {
  if (before === null) return false;
  return before === after || ((await ports.sources?.isSameCode?.({ path, before, after })) ?? false);
}

interface Place {
  readonly line: number;
  readonly variants: readonly Variant[];
}

/** The places of a file that can be broken: the changed ones, or the file as a whole where none of them can be. */
async function findPlaces(ctx: CheckContext, source: ChangedSource): Promise<readonly Place[]> {
  const { path, before, after } = source;
  const { sources } = ctx.ports;
  const { mutants: limit } = ctx.policy.mutation;
  const lines = getChangedLines(before, after);
  const places: Place[] = [];
  const all = after.split('\n').map((_, at) => at + 1);
  for (const group of [...getGroups(lines), all]) {
    if (group === all && places.length > 0) break;
    const request = { path, text: after, lines: group, limit, seed: ctx.candidate.tree };
    const mutants = await sources?.mutate(request);
    if (!mutants && group === all) return (await isOpened(ctx, path)) ? [getEmptied(path)] : [];
    const broken = (mutants ?? []).filter(({ kind }) => kind !== 'yes');
    const variants = broken.map(mutant => getVariant(path, mutant));
    if (variants.length > 0) places.push({ line: group[0] ?? 1, variants });
  }
  return places;
}

/** What nobody here can read is held where it is missed. */
function getEmptied(path: string): Place {
  return { line: 1, variants: [{ put: [{ path, text: '' }], words: `${path} is empty` }] };
}

async function isOpened(ctx: CheckContext, path: string): Promise<boolean> {
  const runs = await readRuns(ctx, 'candidate');
  const seen = runs.flatMap(({ opened }) => (opened ? [opened] : []));
  return seen.length === 0 || seen.some(opened => opened.includes(path));
}

function getGroups(lines: readonly number[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last && line - (last.at(-1) ?? 0) <= GAP) last.push(line);
    else groups.push([line]);
  }
  return groups;
}

/** Asks the task's own tests first, then the suite; the same broken text is not asked about twice. */
async function openAsk(ctx: CheckContext, own: TestRun) {
  const suite = await ctx.tests.suite({ side: 'candidate', tree: ctx.candidate.tree });
  const runOwn = getOwnRun(ctx);
  const runAll: RunOn = (tree, _, purpose) => ctx.tests.suite({ side: 'candidate', tree, purpose });
  const known = new Map<string, Promise<boolean>>();
  const askOnce = (before: TestRun, variant: Variant, run: RunOn, who: string) => {
    const key = `${who} ${JSON.stringify(variant.put)}`;
    const answer = known.get(key) ?? isNoticed(ctx, before, variant, run);
    known.set(key, answer);
    return answer;
  };
  return async (variants: readonly Variant[]): Promise<boolean> => {
    for (const variant of variants) if (await askOnce(own, variant, runOwn, 'own')) return true;
    if (suite === null || suite.command === own.command) return false;
    for (const variant of variants) if (await askOnce(suite, variant, runAll, 'suite')) return true;
    return false;
  };
}
