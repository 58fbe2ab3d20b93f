import { getBaseName, joinPath } from '../core/base/tree-path.ts';
import type { Policy } from '../core/model/policy.ts';
import { RUN_KEY, type RunnerKind, type TestRun } from '../core/model/testing.ts';
import type { EndToEnd, Ports } from '../ports/index.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
}

/** A run as it is asked for: what is left out is as the project has it. */
export interface WantedRun {
  readonly tree: string;
  readonly command: string;
  /** Where it is given, there is no report but its own. */
  readonly runner?: RunnerKind;
  readonly reportPath?: string | null;
  /** What its one result is called where only the exit code is known; the command itself when not given. */
  readonly idWithoutReport?: string;
  readonly timeoutMs?: number;
  /** Which run of the same command on the same bytes this is; more than one is made to see if they agree. */
  readonly repeat?: number | undefined;
  /** Files whose readers are wanted. */
  readonly observe?: readonly string[] | undefined;
  /** What is laid beside the tree's own files for this run alone, by its content. */
  readonly beside?: string | undefined;
  /** What end-to-end tests need besides their tree. */
  readonly endToEnd?: EndToEnd | undefined;
}

/** What the outcome of a run depends on. */
export type RunInputs = WantedRun &
  Required<Pick<WantedRun, 'runner' | 'reportPath' | 'idWithoutReport' | 'timeoutMs'>>;

export function getInputs(policy: Policy, wanted: WantedRun): RunInputs {
  const { testing, testTimeoutMs, commandTimeoutMs } = policy;
  const { command, runner } = wanted;
  return {
    ...{ runner: testing.runner, reportPath: runner === undefined ? testing.reportPath : null },
    ...{ idWithoutReport: command, timeoutMs: runner === 'command' ? commandTimeoutMs : testTimeoutMs },
    ...wanted,
  };
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
  const { tree, run } = JSON.parse(text) as KnownRun;
  const known = { tree, run: inputs.runner === 'command' ? getRenamed(run, inputs.idWithoutReport) : run };
  return tree === inputs.tree || (await isBlindToBooks(ctx, inputs.tree)) ? known : null;
}

/** A command without a report is the same run for everybody who asks; only the name of its one result is theirs. */
export function getRenamed(run: TestRun, id: string): TestRun {
  return { ...run, results: run.results.map(result => ({ ...result, id })) };
}

/** Only runs that came to a proper end are remembered: a time-out or a lost report is asked again. */
export async function rememberRun(ctx: Context, key: string, known: KnownRun): Promise<void> {
  const { timedOut, exitCode, reportProblem } = known.run;
  if (timedOut || exitCode === null || reportProblem) return;
  const run = getRedacted(known.run, ctx.ports.redact);
  await ctx.ports.store.cachePut(key, JSON.stringify({ ...known, run }));
}

/** What a run said without its secrets; the ids of its tests are what they are known by, and stay. */
function getRedacted(run: TestRun, redact: Ports['redact']): TestRun {
  if (!redact) return run;
  const results = run.results.map(each =>
    each.message === undefined ? each : { ...each, message: redact(each.message) },
  );
  return { ...run, outputTail: redact(run.outputTail), results };
}

/** The whole suite on one tree; null when the project has none. */
export function getSuiteInputs(policy: Policy, tree: string): RunInputs | null {
  const { full } = policy.testing;
  return full === null ? null : getInputs(policy, { tree, command: full });
}

/** Where files that only the user's checkout has are remembered, once tests were seen to need them. */
export const LOCAL_FILES = 'local-files';

/** Names everything that a run's outcome depends on. */
export async function getRunKey(ctx: Context, inputs: RunInputs): Promise<string> {
  const { command, runner, reportPath, timeoutMs, repeat = 0, observe = [] } = inputs;
  const { environment } = ctx.policy;
  const [tree, local, fingerprint = ''] = await Promise.all([
    getInputTree(ctx, inputs),
    ctx.ports.store.metaGet(LOCAL_FILES),
    ctx.ports.tests.fingerprint?.(runner),
  ]);
  const asked = [
    command,
    runner,
    reportPath,
    timeoutMs,
    environment.install,
    repeat,
    observe,
    inputs.beside ?? inputs.endToEnd ?? null,
    local,
  ];
  return `${RUN_KEY}${JSON.stringify([tree, ...asked, fingerprint])}`;
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
  const names = books.map(getBaseName);
  return !(await workspace.mentions(tree, names, [...books, ctx.policy.configPath, '*.md']));
}

function getBooks({ backlogPath, notesPath }: Policy): readonly string[] {
  return [backlogPath, notesPath].map(path => joinPath('', path));
}
