import { canScan, getImports, resolveImport } from '../core/imports.ts';
import { getMakeLines } from '../core/make-lines.ts';
import { isData, isHelper, isJudge, isProduct } from '../core/proof-paths.ts';
import { getStarted, type Started } from '../core/started-files.ts';
import { isTestPath } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { readUses } from './test-only-files.ts';

/** Beyond this nobody's proof goes. */
const MAX_FILES = 300;

/** A file of the base that the commands of a proof reach, and in which way. */
export interface Reached {
  /** Started by the task's own command, with nothing else reading what it says. */
  readonly isJudge: boolean;
  /** The file that names it; null where a command line does. */
  readonly by: string | null;
}

/**
 * What the commands that prove a task reach among the files of the base: scripts, behind wrappers, targets and
 * other scripts, what these import and read. Whoever may edit it decides the verdict.
 */
export async function readProofFiles(ctx: CheckContext): Promise<ReadonlyMap<string, Reached>> {
  const files = new Set(await ctx.ports.workspace.listFiles(ctx.baseTree));
  const walk: Walk = { ctx, files, reached: new Map() };
  const { testing, lintCommand, typeCheckCommand } = ctx.policy;
  const lines = [ctx.task.validation?.command, testing.full, testing.feature, lintCommand, typeCheckCommand];
  for (const line of lines) if (line) await followLine(walk, line, [''], null);
  const guarded = [...walk.reached].filter(([path, reached]) => isGuarded(walk, path, reached));
  return leaveProduct(ctx, new Map(guarded));
}

/** What others use as well is no judge's alone. Asked only of files that were changed. */
async function leaveProduct(
  ctx: CheckContext,
  guarded: ReadonlyMap<string, Reached>,
): Promise<ReadonlyMap<string, Reached>> {
  const changed = ctx.changes.filter(({ path, kind }) => kind !== 'added' && guarded.has(path));
  const suspects = changed.map(({ path }) => ({ path, isCode: canScan(path) }));
  if (suspects.length === 0) return guarded;
  const uses = await readUses(
    ctx,
    suspects,
    path => guarded.has(path) || isHelper(path, '') || isJudge(path),
  );
  return new Map(
    [...guarded].filter(([path, { by }]) => {
      const { tests, product } = uses.get(path) ?? { tests: false, product: false };
      return !product && !(tests && by === null && canScan(path));
    }),
  );
}

interface Walk {
  readonly ctx: CheckContext;
  readonly files: ReadonlySet<string>;
  readonly reached: Map<string, Reached>;
}

/** Tests have rules of their own; what is plainly the product, or could be, is the agent's to change. */
function isGuarded({ ctx, files }: Walk, path: string, { isJudge: isOwn, by }: Reached): boolean {
  if (isTestPath(ctx, path)) return false;
  if (by === null) return isOwn || isJudge(path);
  if (isData(path)) return true;
  if (isProduct(path, files)) return false;
  return isJudge(path) || isHelper(path, '') || isBeside(path, by);
}

/** In the folder of the script that uses it, where that is not the project's own. */
function isBeside(path: string, by: string): boolean {
  const folder = by.slice(0, by.lastIndexOf('/') + 1);
  return folder !== '' && path.startsWith(folder);
}

async function followLine(
  walk: Walk,
  line: string,
  folders: readonly string[],
  by: string | null,
): Promise<void> {
  for (const started of getStarted(line, { folders, files: walk.files })) {
    if (started.kind === 'make' || started.kind === 'package') await followTarget(walk, started, by);
    else if (started.kind === 'expected')
      await reach(walk, started.path, { isJudge: isData(started.path), by });
    else {
      const isOwn = !started.isHeard && !isProduct(started.path, walk.files);
      await reach(walk, started.path, { isJudge: isOwn, by });
    }
  }
}

async function followTarget(
  walk: Walk,
  started: Exclude<Started, { kind: 'file' | 'expected' }>,
  by: string | null,
): Promise<void> {
  const names =
    started.kind === 'package' ? ['package.json'] : ['Makefile', 'makefile', 'GNUmakefile', 'justfile'];
  const folders = [...new Set([...started.folders, ''])];
  const paths = folders.flatMap(folder => names.map(name => (folder === '' ? name : `${folder}/${name}`)));
  const path = paths.find(each => walk.files.has(each));
  if (path === undefined || walk.reached.size > MAX_FILES) return;
  const key = `${path} ${started.kind === 'package' ? started.script : started.targets.join(' ')}`;
  if (walk.reached.has(key)) return;
  walk.reached.set(key, { isJudge: false, by: null });
  const text = (await walk.ctx.ports.workspace.readFile(walk.ctx.baseTree, path)) ?? '';
  const lines =
    started.kind === 'package' ? getScripts(text, started.script) : getMakeLines(text, started.targets);
  for (const line of lines) await followLine(walk, line, started.folders, by);
}

function getScripts(manifest: string, name: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(manifest) as { scripts?: Readonly<Record<string, unknown>> };
    return [`pre${name}`, name, `post${name}`]
      .map(each => scripts[each])
      .filter(each => typeof each === 'string');
  } catch {
    return [];
  }
}

async function reach(walk: Walk, path: string, how: Reached): Promise<void> {
  if (walk.reached.has(path) || walk.reached.size > MAX_FILES) return;
  walk.reached.set(path, how);
  // What the product needs is the product's.
  if (isProduct(path, walk.files) || isTestPath(walk.ctx, path)) return;
  const text = (await walk.ctx.ports.workspace.readFile(walk.ctx.baseTree, path)) ?? '';
  const folders = ['', path.slice(0, Math.max(0, path.lastIndexOf('/')))];
  if (!canScan(path)) {
    if (isShell(path, text)) await followLine(walk, text, folders, path);
    return;
  }
  for (const spec of getImports(path, text).specs)
    for (const used of resolveImport(path, spec, walk.files))
      await reach(walk, used, { isJudge: false, by: path });
  for (const line of getQuotedLines(text)) await followLine(walk, line, folders, path);
}

function isShell(path: string, text: string): boolean {
  return /\.(?:ba|z|k)?sh$/.test(path) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) || !/\.\w+$/.test(path);
}

/** Command lines that a program holds as texts. */
function getQuotedLines(text: string): readonly string[] {
  return [...text.matchAll(/(['"`])((?:node|npx|python3?|sh|bash|make|npm)\s[^'"`\n]+)\1/g)].map(
    ([, , line = '']) => line,
  );
}
