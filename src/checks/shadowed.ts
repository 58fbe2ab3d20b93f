import { matchesAny } from '../core/glob.ts';
import type { CheckContext } from './context.ts';

/** What an import without an extension, or with that of the compiled file, may find. */
const SCRIPT = /\.(m?[jt]sx?|cts|cjs)$/;
const COMMON = /\.c[jt]s$/;
const PACKAGE = /\/__init__\.py$/;

/** A file that stays and that a new one resolves in the place of: `helper` before `helper.js`, `till.js` before `till.ts`. */
export async function findShadowed(
  ctx: CheckContext,
  path: string,
  guarded: readonly string[],
): Promise<string | null> {
  const judge = guarded.find(file => file !== path && getStem(file) === getStem(path));
  if (judge) return judge;
  const isTestFile = matchesAny(path, ctx.policy.testGlobs);
  if (!isTestFile && !SCRIPT.test(path) && !PACKAGE.test(path)) return null;
  const files = await ctx.ports.workspace.listFiles(ctx.baseTree);
  const mock = getMocked(ctx, path, files);
  if (mock) return mock;
  const stem = getStem(PACKAGE.test(path) ? path.replace(PACKAGE, '.py') : path);
  const rivals = files.filter(file => file !== path && getStem(file) === stem);
  return rivals.find(file => isTestFile || (canStandIn(path, file) && !isDeleted(ctx, file))) ?? null;
}

function canStandIn(path: string, file: string): boolean {
  if (PACKAGE.test(path)) return file.endsWith('.py');
  return SCRIPT.test(file) && COMMON.test(file) === COMMON.test(path);
}

/** Code that moves to another language leaves nothing behind. */
function isDeleted({ changes }: CheckContext, path: string): boolean {
  return changes.some(change => change.kind === 'deleted' && change.path === path);
}

/** Jest puts what lies in `__mocks__` beside the manifest in place of packages, unasked. */
function getMocked({ policy }: CheckContext, path: string, files: readonly string[]): string | null {
  const [, folder, name] = /^(.*\/)?__mocks__\/(.+)\.\w+$/.exec(path) ?? [];
  if (policy.testing.runner !== 'jest' || name === undefined) return null;
  return files.includes(`${folder ?? ''}package.json`) ? `the package ${name}` : null;
}

/** The path as an import without an extension would name it. */
function getStem(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]+$/, '');
}
