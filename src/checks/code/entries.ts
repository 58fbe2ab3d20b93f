import { getExtension, getFolder } from '../../core/base/tree-path.ts';
import { type Entry, getEntries, isShipped } from '../../core/code/entries.ts';
import { getLoadCommand, type Loaded, parseLoaded } from '../../core/code/load-program.ts';
import { getExports, resolveModule } from '../../core/code/modules.ts';
import { SCRIPT } from '../../core/code/source-files.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import type { TestRun } from '../../core/model/testing.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { findNewlyBroken, type Trees } from './links.ts';
import type { SourceTree } from './source-tree.ts';

const MAX_MANIFESTS = 50;
const MAX_LOADED = 20;
const LOAD_TIMEOUT_MS = 15_000;

/** One promise of a package, as it was and as it is; null on the side that does not make or keep it. */
interface Pair {
  readonly key: string;
  readonly was: Entry | null;
  readonly is: Entry | null;
  /** It was published with the package, and is there and not published now. */
  readonly isLeftOut?: boolean;
}

/** Endings of what a package may offer; a program may have none. */
const OFFERED = new Set([...SCRIPT, 'json', '']);
const LOADED = new Set(['js', 'mjs', 'cjs']);

/** Targets of package.json that are gone, no longer load, or give fewer names than on the base. */
export async function findLostEntries(
  ctx: CheckContext,
  trees: Trees,
): Promise<{ readonly found: readonly GateFinding[]; readonly command: string | null }> {
  const { before, after, changes } = trees;
  if (!changes.some(({ path }) => OFFERED.has(getExtension(path)))) return NOTHING;
  const found: GateFinding[] = [];
  const kept: Pair[] = [];
  for (const pair of await readPairs(ctx, trees)) {
    const { was, is, key, isLeftOut } = pair;
    if (is && isLeftOut)
      found.push({ gate: 'entries', text: `${is.path} is no longer among "files", and ${key} names it` });
    if (was && !is) found.push({ gate: 'exports', text: `${key} was ${was.path} and is no longer offered` });
    else if (is && after.files.has(is.path)) kept.push(pair);
    else if (is && was) found.push({ gate: 'entries', text: `${is.path} is gone, and ${key} names it` });
  }
  const unsure: Pair[] = [];
  for (const { key, was, is } of kept) {
    if (is?.isFitting) continue;
    // A command is never started; what it is made of has to be there.
    if (is?.how === 'bin') found.push(...(await findNewlyBroken(before, after, is.path)));
    const [had, has] = [
      was && (await getExports(before, was.path)),
      is && (await getExports(after, is.path)),
    ];
    if (had && has) found.push(...getLostNames(key, [...had], has));
    else if (was) unsure.push({ key, was, is });
  }
  const loaded = await findUnloaded(ctx, kept, unsure);
  return { found: [...found, ...loaded.found], command: loaded.command };
}

const NOTHING = { found: [], command: null };

function getLostNames(key: string, had: readonly string[], has: ReadonlySet<string>): readonly GateFinding[] {
  const lost = had.filter(name => !has.has(name));
  if (lost.length === 0) return [];
  return [{ gate: 'exports', text: `${key} no longer gives ${lost.join(', ')}` }];
}

async function readPairs(ctx: CheckContext, { before, after }: Trees): Promise<readonly Pair[]> {
  const isTest = await readIsTest(ctx);
  const isManifest = (path: string) => path === 'package.json' || path.endsWith('/package.json');
  const manifests = [...after.files].filter(path => isManifest(path) && !isTest(path));
  const pairs: Pair[] = [];
  for (const manifest of manifests.slice(0, MAX_MANIFESTS)) {
    const [had, has] = [
      await readEntries(before, manifest, isTest),
      await readEntries(after, manifest, isTest),
    ];
    for (const key of new Set([...had.keys(), ...has.keys()])) {
      const was = had.get(key) ?? null;
      const now = has.get(key);
      const name = manifest === 'package.json' ? key : `${key} of ${getFolder(manifest)}`;
      // What the base did not hold either is made by somebody else, and nobody's loss.
      pairs.push({
        key: name,
        was: was && before.files.has(was.path) ? was : null,
        is: now ?? null,
        isLeftOut:
          was !== null && now !== undefined && (await isLeftOut(manifest, [before, was], [after, now])),
      });
    }
  }
  return pairs;
}

async function isLeftOut(
  manifest: string,
  [before, was]: readonly [SourceTree, Entry],
  [after, now]: readonly [SourceTree, Entry],
): Promise<boolean> {
  const folder = getFolder(manifest);
  if (!isShipped(await before.readText(manifest), folder, was)) return false;
  return after.files.has(now.path) && !isShipped(await after.readText(manifest), folder, now);
}

async function readEntries(
  tree: SourceTree,
  manifest: string,
  isTest: (path: string) => boolean,
): Promise<ReadonlyMap<string, Entry>> {
  if (!tree.files.has(manifest)) return new Map();
  const entries = getEntries(await tree.readText(manifest), getFolder(manifest), tree.files);
  // What a name says is said last: it stands above what a pattern says.
  const sorted = [
    ...entries.filter(({ isFitting }) => isFitting),
    ...entries.filter(each => !each.isFitting),
  ];
  return new Map(
    sorted
      .filter(({ isFitting, path }) => !isFitting || !isTest(path))
      .map(entry => [
        entry.key,
        { ...entry, path: resolveModule(tree.files, '', `./${entry.path}`) ?? entry.path },
      ]),
  );
}

/** Loads what Node can load as it is, on the base only where there is something to compare. */
async function findUnloaded(
  ctx: CheckContext,
  kept: readonly Pair[],
  unsure: readonly Pair[],
): Promise<{ readonly found: readonly GateFinding[]; readonly command: string | null }> {
  const pairs = kept.filter(({ is }) => is && canLoad(is)).slice(0, MAX_LOADED);
  const targets = pairs.map(({ is }) => is as Entry);
  if (targets.length === 0) return NOTHING;
  const command = getLoadCommand(getUnique(targets));
  const after = await load(ctx, command, 'candidate', ctx.candidate.tree);
  const now = parseLoaded(after.outputTail);
  const isWell = pairs.every(({ is }) => now.get(getKey(is))?.names !== undefined);
  if (isWell && !unsure.some(({ is }) => is && canLoad(is))) return { found: [], command };
  const wanted = getUnique(pairs.flatMap(({ was }) => (was && canLoad(was) ? [was] : [])));
  const base = wanted.length === 0 ? null : await load(ctx, getLoadCommand(wanted), 'base', ctx.baseTree);
  const then = parseLoaded(base?.outputTail ?? '');
  const found = pairs.flatMap(({ key, was, is }) =>
    compare(key, was ? (then.get(getKey(was)) ?? {}) : null, now.get(getKey(is)), after),
  );
  return { found, command };
}

function compare(
  key: string,
  was: Loaded | null,
  is: Loaded | undefined,
  run: TestRun,
): readonly GateFinding[] {
  const isNew = was === null;
  const wasWell = isNew || was.names !== undefined;
  if (is?.error !== undefined)
    return wasWell ? [{ gate: 'entries', text: `${key} no longer loads: ${is.error}` }] : [];
  if (is === undefined && wasWell && !isNew && !run.isTailCut) {
    const how = run.timedOut ? 'comes to no end' : `ends the process (exit ${run.exitCode})`;
    return [{ gate: 'entries', text: `${key} no longer loads: it ${how}` }];
  }
  if (!is?.names || !was?.names) return [];
  return getLostNames(key, was.names, new Set(is.names));
}

function canLoad({ how, path }: Entry): boolean {
  return (how === 'import' || how === 'require') && LOADED.has(getExtension(path));
}

function getKey(entry: Entry | null): string {
  return `${entry?.how} ${entry?.path}`;
}

function getUnique(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map(entry => [getKey(entry), entry])).values()];
}

function load(ctx: CheckContext, command: string, side: Side, tree: string): Promise<TestRun> {
  return ctx.tests.run({
    purpose: `entries, ${side}`,
    side,
    tree,
    command,
    runner: 'command',
    idWithoutReport: 'entries',
    timeoutMs: Math.min(LOAD_TIMEOUT_MS, ctx.policy.commandTimeoutMs),
  });
}
