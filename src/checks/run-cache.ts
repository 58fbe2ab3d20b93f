import type { Policy } from '../core/policy.ts';
import type { RunnerKind, TestRun } from '../core/testing.ts';
import type { Ports } from '../ports.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
}

/** What the outcome of a run depends on. */
export interface RunInputs {
  readonly tree: string;
  readonly command: string;
  readonly runner: RunnerKind;
  readonly reportPath: string | null;
  readonly idWithoutReport: string;
  readonly timeoutMs: number;
  /** Which run of the same command on the same bytes this is; more than one is made to see if they agree. */
  readonly repeat?: number | undefined;
}

/** A run, and the very tree it was made on. */
export interface KnownRun {
  readonly tree: string;
  readonly run: TestRun;
}

/** A run that was made on the same bytes, with the same command, in the same environment. */
export async function recallRun(
  ctx: Context,
  inputs: RunInputs,
  key: string | null = null,
): Promise<KnownRun | null> {
  const text = await ctx.ports.store.cacheGet(key ?? (await getRunKey(ctx, inputs)));
  if (text === null) return null;
  const known = JSON.parse(text) as KnownRun;
  return known.tree === inputs.tree || (await isBlindToBooks(ctx, inputs.tree)) ? known : null;
}

/** Only runs that came to a proper end are remembered: a time-out or a lost report is asked again. */
export async function rememberRun(ctx: Context, key: string, known: KnownRun): Promise<void> {
  const { timedOut, exitCode, reportProblem } = known.run;
  if (timedOut || exitCode === null || reportProblem) return;
  await ctx.ports.store.cachePut(key, JSON.stringify(known));
}

/** The whole suite on one tree; null when the project has none. */
export function getSuiteInputs({ testing, testTimeoutMs }: Policy, tree: string): RunInputs | null {
  const { full, runner, reportPath } = testing;
  if (full === null) return null;
  return { tree, command: full, runner, reportPath, idWithoutReport: full, timeoutMs: testTimeoutMs };
}

/** Names everything that a run's outcome depends on. */
export async function getRunKey(ctx: Context, inputs: RunInputs): Promise<string> {
  const { command, runner, reportPath, idWithoutReport, timeoutMs, repeat = 0 } = inputs;
  const { environment } = ctx.policy;
  const [tree, fingerprint = ''] = await Promise.all([
    getInputTree(ctx, inputs),
    ctx.ports.tests.fingerprint?.(runner),
  ]);
  const asked = [command, runner, reportPath, idWithoutReport, timeoutMs, environment.install, repeat];
  return `test:${JSON.stringify([tree, ...asked, fingerprint])}`;
}

/**
 * The tree without backlog and notes, which change with every task and are no test's business. A command
 * of which only the exit code is known may look at every file (a linter does): there nothing is left out.
 */
async function getInputTree(ctx: Context, { tree, runner }: RunInputs): Promise<string> {
  if (runner === 'command') return tree;
  return (await ctx.ports.workspace.idWithout?.(tree, getBooks(ctx.policy))) ?? tree;
}

/** Where no file names the backlog or the notes, no test reads them. Words for people do not count. */
async function isBlindToBooks(ctx: Context, tree: string): Promise<boolean> {
  const { workspace } = ctx.ports;
  if (!workspace.mentions) return false;
  const books = getBooks(ctx.policy);
  const names = books.map(path => path.slice(path.lastIndexOf('/') + 1));
  return !(await workspace.mentions(tree, names, [...books, ctx.policy.configPath, '*.md']));
}

function getBooks({ backlogPath, notesPath }: Policy): readonly string[] {
  return [backlogPath, notesPath].map(path => path.replace(/\/+$/, ''));
}
