import type { Finding } from '../../core/model/finding.ts';
import type { TestResult, TestRun } from '../../core/model/testing.ts';
import { getComparison } from '../../core/review/comparison.ts';
import type { Evidence } from '../../core/review/settle.ts';
import { getRedReason } from '../../core/testing/red-reason.ts';
import { getFeatureCommand } from '../../core/testing/test-command.ts';
import { type CheckContext, getTree } from '../shared/context.ts';

/** A few broken variants are enough to see whether a test asks for what the line does. */
const MAX_VARIANTS = 6;

/**
 * What the test says that a finding brings along. It is laid into a tree of its own and never committed. It counts as
 * red only where it is so twice, for an honest reason, and because of the line that it is about: with that line broken in another way
 * it expects the same and gets something else, or it is green. One that would be red whatever the code does shows nothing.
 */
export async function reproduce(ctx: CheckContext, finding: Finding): Promise<Evidence['test']> {
  const test = await getRunnable(ctx, finding);
  if (test === null) return 'none';
  const first = await run(ctx, test, getTree(ctx, 'candidate'));
  if (first.timedOut || first.results.length === 0) return 'unsound';
  const red = getRed(first);
  if (red.length === 0) return 'green';
  const again = getRed(await run(ctx, test, getTree(ctx, 'candidate'), 1));
  const isSteady = again.map(({ id }) => id).join('\n') === red.map(({ id }) => id).join('\n');
  if (!isSteady || !red.every(result => getRedReason(result, []).isHonest)) return 'unsound';
  if (!(await dependsOnLine(ctx, test, red, finding))) return 'unsound';
  return isRedAlike(await run(ctx, test, ctx.baseTree), red) ? 'red-on-base' : 'red';
}

interface Runnable {
  readonly path: string;
  readonly content: string;
  readonly command: string;
}

/** New, inside the project, and something that can be run by itself. */
async function getRunnable(
  { ports, policy, candidate }: CheckContext,
  { test }: Finding,
): Promise<Runnable | null> {
  if (test === null) return null;
  const path = test.path.replace(/^\.\//, '');
  const parts = path.split('/');
  if (parts.some(part => part === '' || part === '..' || part === '.git') || /\p{Cc}/u.test(path))
    return null;
  if ((await ports.workspace.blobId(candidate.tree, path)) !== null) return null;
  const command = getFeatureCommand(policy.testing, path, test.content);
  if (command === null || command === policy.testing.full) return null;
  return { path, content: test.content, command };
}

async function run(
  ctx: CheckContext,
  { path, content, command }: Runnable,
  on: string,
  repeat = 0,
): Promise<TestRun> {
  const tree = await ctx.ports.workspace.compose({ tree: on, put: [{ path, text: content }] });
  const side = on === ctx.baseTree ? 'base' : 'candidate';
  return ctx.tests.run({
    side,
    tree,
    command,
    repeat,
    idWithoutReport: path,
    purpose: `reproduction, ${side}`,
  });
}

function getRed({ results }: TestRun): readonly TestResult[] {
  return results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
}

/** The same tests red on the base, in the same words: the change has no part in it. */
function isRedAlike(before: TestRun, red: readonly TestResult[]): boolean {
  const known = new Map(getRed(before).map(({ id, message }) => [id, getComparison(message ?? '')]));
  return red.every(({ id, message }) => known.has(id) && known.get(id) === getComparison(message ?? ''));
}

async function dependsOnLine(
  ctx: CheckContext,
  test: Runnable,
  red: readonly TestResult[],
  { file, line }: Finding,
): Promise<boolean> {
  const text = file === null ? null : await ctx.ports.workspace.readFile(ctx.candidate.commit, file);
  if (file === null || text === null) return false;
  const lines = line === null ? text.split('\n').map((_, at) => at + 1) : [line];
  const request = { path: file, text, lines, limit: MAX_VARIANTS, seed: ctx.candidate.tree };
  const mutants = (await ctx.ports.sources?.mutate(request)) ?? [];
  const thrown = line === null ? [] : getThrown(file, text, line);
  for (const broken of [...mutants.map(mutant => mutant.text).slice(0, MAX_VARIANTS), ...thrown]) {
    const tree = await ctx.ports.workspace.compose({
      tree: ctx.candidate.tree,
      put: [{ path: file, text: broken }],
    });
    if (isMoved(await run(ctx, test, tree), red, !thrown.includes(broken))) return true;
  }
  return false;
}

/** Green now, or red about other values. */
function isMoved(after: TestRun, red: readonly TestResult[], byValue: boolean): boolean {
  if (after.timedOut || after.results.length === 0) return false;
  const now = new Map(after.results.map(result => [result.id, result]));
  return red.some(({ id, message }) => {
    const other = now.get(id);
    if (other?.outcome === 'passed') return true;
    const [was, is] = [getComparison(message ?? ''), getComparison(other?.message ?? '')];
    return byValue && was !== null && is !== null && was !== is;
  });
}

/** The line that throws instead: a test that wants an error is green then. */
function getThrown(path: string, text: string, line: number): readonly string[] {
  const lines = text.split('\n');
  const old = lines[line - 1] ?? '';
  const indent = /^\s*/.exec(old)?.[0] ?? '';
  const isPython = path.endsWith('.py');
  const statement = isPython ? "raise RuntimeError('broken')" : "throw new Error('broken');";
  const put = (text_: string) => [...lines.slice(0, line - 1), text_, ...lines.slice(line)].join('\n');
  // Where the line opens a block, it goes on below.
  const open = /[{:]\s*$/.test(old) ? `${old}\n${indent}  ${statement}` : `${indent}${statement}`;
  return [put(open), put(`${indent}${statement}\n${old}`)];
}
