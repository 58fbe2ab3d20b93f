import type { Policy } from '../core/model/policy.ts';
import { type Baseline, getTestFile } from '../core/model/testing.ts';
import type { Ports } from '../ports/index.ts';
import { getSuiteInputs, LOCAL_FILES } from './run-cache.ts';
import { getPlaceNumber, layOut, runOnTree } from './test-runs.ts';

interface Where {
  readonly slot: number;
  readonly tree: string;
  readonly signal: AbortSignal;
}

const ASKED = 'local-files-asked';

/**
 * A test that is red on the base only for want of a file that git does not have guards nothing, and is no old
 * failure. Those that nobody is about to turn green are asked once more with what only the user's checkout has;
 * the same tests with the same files are asked once. Says whether something was learnt: then the base has to be
 * measured again.
 */
export async function checkLocalFiles(
  ctx: { readonly ports: Ports; readonly policy: Policy },
  { failing }: Baseline,
  /** Test files of tasks that are still to be done. */
  awaited: ReadonlySet<string>,
  where: Where,
): Promise<boolean> {
  const { workspace, store } = ctx.ports;
  const red = failing.filter(id => !awaited.has(getTestFile(id))).sort();
  const suite = getSuiteInputs(ctx.policy, where.tree);
  if (red.length === 0 || suite === null || !workspace.lendLocal) return false;
  const base = { ...where, side: 'base' } as const;
  await layOut(ctx, base);
  const place = getPlaceNumber(base);
  const loan = await workspace.lendLocal(place);
  const asked = JSON.stringify([suite.command, loan.stamp, red]);
  if (loan.paths.length === 0 || (await store.metaGet(ASKED)) === asked) return false;
  const before = await store.metaGet(LOCAL_FILES);
  let opened: readonly string[] = [];
  const lay = async () => {
    const takeOut = loan.lay();
    return async () => {
      opened = takeOut();
    };
  };
  const purpose = 'suite, base, with what only the checkout has';
  // Never taken from memory: what was opened is seen only while it runs, and a kill may come before it is noted.
  const beside = `${loan.stamp} ${ctx.ports.random.token()}`;
  const lent = await runOnTree(ctx, { ...suite, ...base, purpose, beside, place: lay });
  const isGreen = (id: string) => lent.results.some(one => one.id === id && one.outcome === 'passed');
  const mended = red.filter(isGreen);
  if (opened.length > 0 && mended.length > 0) {
    const again = await runOnTree(ctx, { ...suite, ...base, purpose: 'suite, base', repeat: 1 });
    const isStillRed = again.results.some(({ id, outcome }) => mended.includes(id) && outcome !== 'passed');
    const known = JSON.parse(before ?? '[]') as readonly string[];
    if (isStillRed) await store.metaPut(LOCAL_FILES, JSON.stringify([...new Set([...known, ...opened])]));
  }
  await store.metaPut(ASKED, asked);
  // Says what is missing, unless an install that is made once more fills it.
  await layOut(ctx, base);
  return (await store.metaGet(LOCAL_FILES)) !== before;
}
