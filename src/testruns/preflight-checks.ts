import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import { type Baseline, getTestFile } from '../core/model/testing.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { getOutput } from '../core/testing/unstarted.ts';
import type { Ports, ShellResult } from '../ports/index.ts';
import { getSuiteInputs, LOCAL_FILES } from './run-cache.ts';
import type { TestRuns } from './test-runs.ts';
import { getWorktreeNumber } from './worktrees.ts';

interface PreflightPorts {
  readonly ports: Pick<Ports, 'workspace' | 'backlog'>;
  readonly policy: Policy;
}

/** Where the agent will work is there, and holds the project. */
export async function checkDirectory(
  { ports, policy }: PreflightPorts,
  { slot, dir }: Attempt,
): Promise<string> {
  const onDisk = await ports.workspace.hashes(slot, [policy.backlogPath]);
  if (dir !== null && onDisk[policy.backlogPath]) return dir;
  throw new HarnessError(
    'environment',
    `${dir} does not hold the project: ${policy.backlogPath} is missing`,
    {
      fix: 'run again: the worktree is created anew',
    },
  );
}

/** The files that steer the work are in the commit it starts from, and can be read. */
export async function checkFiles({ ports, policy }: PreflightPorts, { base }: Attempt): Promise<string> {
  const { workspace, backlog } = ports;
  const text = await workspace.readFile(base, policy.backlogPath);
  if (text === null) throw getMissing(policy.backlogPath, 'paths.features');
  backlog.parse(text);
  const { init, reset, healthCheck, stop } = policy.environment;
  const scripts = [
    { field: 'environment.init', command: init, path: getScript(init) },
    { field: 'environment.reset', command: reset, path: getScript(reset) },
    { field: 'environment.health_check', command: healthCheck, path: getScript(healthCheck) },
    { field: 'environment.stop', command: stop, path: getScript(stop) },
  ];
  const found = [policy.backlogPath];
  for (const { field, command, path } of scripts) {
    if (path === null) continue;
    if ((await workspace.blobId(base, path)) === null) throw getMissing(path, field);
    if (isDirect(command) && (await workspace.isProgram?.(base, path)) === false)
      throw getNotRunnable(path, field);
    found.push(path);
  }
  return found.join(', ');
}

/** The repository can be worked on, and still stands where the attempt began. */
export async function checkGit({ ports }: PreflightPorts, { base }: Attempt): Promise<string> {
  const { ref, commit } = await ports.workspace.tip();
  const short = commit.slice(0, 10);
  return commit === base ? `${ref} at ${short}` : `${ref} has moved on to ${short}`;
}

/** The committed script that a command starts, where it plainly starts one. */
function getScript(command: string | null): string | null {
  return (
    /^(?:(?:ba|da|z)?sh\s+(?:\.\/)?|\.\/)([\w./-]+\.sh)(?:\s|$)/.exec(command?.trim() ?? '')?.[1] ?? null
  );
}

/** Whether the script is started by itself, and not given to a shell. */
function isDirect(command: string | null): boolean {
  return command?.trim().startsWith('./') ?? false;
}

function getNotRunnable(path: string, field: string): HarnessError {
  return new HarnessError('environment', `${path} is committed without permission to be run`, {
    file: path,
    field,
    fix: `git update-index --chmod=+x ${path} && git commit -m "Let ${path} be run"`,
  });
}

function getMissing(path: string, field: string): HarnessError {
  return new HarnessError('environment', `${path} is not committed on the base branch`, {
    file: path,
    field,
    fix: `commit ${path}, or change ${field}`,
  });
}

/** What the tests of the base have to be before anybody is paid to make more of them green. */
export interface BaseTests {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly tests: TestRuns;
  readonly tree: string;
  readonly baseline: Baseline;
}

/** Tests may be inherited: the file that a report names need not hold any by itself. */
const MAX_FILES = 3;

const ALONE = 'alone-on-base';

/**
 * A test file that passes in the suite of the base has to give a result by itself: every verdict asks for that of
 * the task's own, and no agent is to blame where it cannot be had. Looked at once for each way of asking. The task's
 * own file comes first: it will be run by itself anyway.
 */
export async function checkAlone(ctx: BaseTests, own: string | null = null): Promise<void> {
  const { testing, environment } = ctx.policy;
  if (testing.runner === 'command') return;
  const asked = JSON.stringify([testing.runner, testing.full, testing.feature, environment.install]);
  if ((await ctx.ports.store.metaGet(ALONE)) === asked) return;
  const problems: string[] = [];
  const green = [...new Set(ctx.baseline.passing.map(getTestFile))];
  const spread = getSpread(green, MAX_FILES);
  const files = own !== null && green.includes(own) ? [own, ...spread.filter(file => file !== own)] : spread;
  for (const file of files) {
    const problem = await findProblem(ctx, file);
    if (problem === undefined) continue;
    if (problem === null) return ctx.ports.store.metaPut(ALONE, asked);
    problems.push(problem);
  }
  if (problems[0] !== undefined)
    throw new HarnessError('environment', problems[0], { field: 'testing.feature' });
}

/** Some of many from the beginning, the end and between. */
function getSpread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))] as T);
}

/** Why a file gives no result by itself; null where it does, nothing where that cannot be asked. */
async function findProblem(ctx: BaseTests, file: string): Promise<string | null | undefined> {
  const { policy, ports, tests, tree } = ctx;
  const command = getFeatureCommand(policy.testing, file);
  if (command === null || command === policy.testing.full) return undefined;
  if ((await ports.workspace.blobId(tree, file)) === null) return undefined;
  const run = await tests.run({
    ...{ purpose: 'one file by itself, base', side: 'base', tree, command },
    ...{ idWithoutReport: file, notesOpened: true },
  });
  const problem = run.timedOut ? 'it ran out of time' : run.reportProblem;
  return problem === undefined
    ? null
    : `${file} passes in the suite, and by itself it gives no result on the base: \`${command}\`: ${problem}. Set testing.feature to what runs one file ({file}). It said:\n${getOutput(run)}`;
}

const LOCAL_ASKED = 'local-files-asked';

/**
 * A test that is red on the base only for want of a file that git does not have guards nothing, and is no old
 * failure. Those that nobody is about to turn green (`awaited` has the files of the others) are asked once more with
 * what only the user's checkout has; the same tests with the same files are asked once. Says whether something was
 * learnt: then the base has to be measured again.
 */
export async function checkLocalFiles(
  ctx: BaseTests,
  slot: number,
  awaited: ReadonlySet<string>,
): Promise<boolean> {
  const { tests, tree } = ctx;
  const { workspace, store, random } = ctx.ports;
  const red = ctx.baseline.failing.filter(id => !awaited.has(getTestFile(id))).sort();
  const suite = getSuiteInputs(ctx.policy, tree);
  if (red.length === 0 || suite === null || !workspace.lendLocal) return false;
  const base = { side: 'base', tree } as const;
  await tests.checkOut(base);
  const loan = await workspace.lendLocal(getWorktreeNumber({ ...base, slot }));
  const asked = JSON.stringify([suite.command, loan.stamp, red]);
  if (loan.paths.length === 0 || (await store.metaGet(LOCAL_ASKED)) === asked) return false;
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
  const beside = `${loan.stamp} ${random.token()}`;
  const lent = await tests.run({ ...suite, ...base, purpose, beside, layFiles: lay });
  const isGreen = (id: string) => lent.results.some(one => one.id === id && one.outcome === 'passed');
  const fixed = red.filter(isGreen);
  if (opened.length > 0 && fixed.length > 0) {
    const again = await tests.run({ ...suite, ...base, purpose: 'suite, base', repeat: 1 });
    const isStillRed = again.results.some(({ id, outcome }) => fixed.includes(id) && outcome !== 'passed');
    const known = JSON.parse(before ?? '[]') as readonly string[];
    if (isStillRed) await store.metaPut(LOCAL_FILES, JSON.stringify([...new Set([...known, ...opened])]));
  }
  await store.metaPut(LOCAL_ASKED, asked);
  // Says what is missing, unless an install that is made once more fills it.
  await tests.checkOut(base);
  return (await store.metaGet(LOCAL_FILES)) !== before;
}

/** Where the environment is brought up and down. */
interface Environment {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly signal: AbortSignal;
  readonly tests: TestRuns;
}

/** Runs a command line where the environment is brought up and down. */
export type BaseShell = (command: string) => Promise<ShellResult>;

/**
 * Commands that bring the environment up or down run in a pristine tree of the base, laid out when the first
 * one comes: their scripts, and all that these load, are the base's own, whatever an agent left in its worktree.
 */
export function openBase(ctx: Environment, attempt: Pick<Attempt, 'slot' | 'baseTree' | 'dir'>): BaseShell {
  const { ports, policy, signal, tests } = ctx;
  const { slot, baseTree: tree, dir: worktree } = attempt;
  let checkedOut: Promise<string> | null = null;
  return async command => {
    checkedOut ??= tests.checkOut({ side: 'base', tree });
    const result = await (ports.environment ?? ports.shell).run({
      ...{ command, cwd: await checkedOut, timeoutMs: policy.commandTimeoutMs, signal },
      surroundings: await tests.worktrees.surroundings.keep(slot),
      ...(worktree === null ? {} : { env: { HARNESS_WORKTREE: worktree }, writable: [worktree] }),
    });
    signal.throwIfAborted();
    return result;
  };
}
