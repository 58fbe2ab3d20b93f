import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { type Checkout, openCheckout, type Where } from '../project/open-checkout.ts';
import { openProject, type Project } from '../project/open-project.ts';
import type { WatchTrial } from '../project/watch.ts';
import { checkAgents } from './agents.ts';
import { checkImports, checkLintCommand, checkTestCommand } from './commands.ts';
import { type Checkup, getFinding } from './finding.ts';
import { checkGit, checkMachine, checkNode, checkSandbox, checkSqlite } from './machine.ts';
import { checkCacheDir, checkStateDir, checkStore, checkWorkers } from './places.ts';
import { checkBacklog, checkBrowser, checkContext, checkRepo, checkSettings } from './project.ts';
import { checkRemote } from './remote.ts';

export interface ExamineInput {
  /** Tells what tests and agents do not see of the machine. */
  readonly sandbox?: boolean;
  /** Tries the configured commands, as `init` does. */
  readonly trial?: boolean;
  /** The same, and changes what gave no result to what did. */
  readonly fix?: boolean;
  /** Shows a trial while it goes on. */
  readonly watch: WatchTrial;
}

export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly Checkup[];
}

/** Everything a run needs, each with what is wrong and what to do about it. */
export async function examine(where: Where, input: ExamineInput): Promise<Diagnosis> {
  const findings = await readFindings(where, input);
  return { ok: findings.every(({ status }) => status !== 'fail'), checks: findings };
}

/** One after the other; what needs a project is left out where there is none, after saying so. */
async function readFindings(where: Where, input: ExamineInput): Promise<Checkup[]> {
  const findings = [
    checkNode(process.versions.node),
    await getFinding('git', () => checkGit(where.cwd)),
    await getFinding('sqlite', async () => checkSqlite()),
    await getFinding('machine', () => checkMachine(where.env)),
  ];
  const opened: { checkout?: Checkout; project?: Project } = {};
  const config = await getFinding('config', async () => {
    const checkout = await openCheckout(where);
    opened.checkout = checkout;
    return { status: 'ok', detail: `${checkout.configFile} of project ${checkout.config.project.name}` };
  });
  const repo = await getFinding('repository', async () => {
    if (opened.checkout) opened.project = await openProject(where);
    return checkRepo(where.cwd, opened.project ?? null);
  });
  findings.push(repo, config);
  const { checkout, project } = opened;
  if (checkout) findings.push(...(await examineCheckout(checkout, project ?? null)));
  if (project && project.repo.remote !== null)
    findings.push(await getFinding('remote', () => checkRemote(project)));
  if (project) findings.push(await getFinding('backlog', () => checkBacklog(project)));
  const mode = checkout?.config.sandbox.mode ?? 'auto';
  findings.push(await getFinding('sandbox', () => checkSandbox(mode)));
  if (project && input.sandbox) {
    const { describeSandbox } = await import('./sandbox.ts');
    findings.push(...describeSandbox(project, where.env));
  }
  if (project && (input.trial || input.fix)) {
    const { examineByTrial } = await import('./trial.ts');
    const isFixing = input.fix ?? false;
    findings.push(...(await input.watch(watched => examineByTrial(project, isFixing, watched))));
  }
  return findings;
}

/** What agents start from; a remote's branch as it was last seen. */
async function findBase(project: Project | null): Promise<string | null> {
  if (project === null || project.repo.remote === null) return project?.repo.baseBranch ?? null;
  return (await readBacklogAtTip(project).catch(() => null))?.heads.base ?? null;
}

async function examineCheckout(checkout: Checkout, project: Project | null): Promise<Checkup[]> {
  const base = (await findBase(project)) ?? 'HEAD';
  const agents = await checkAgents(project ?? { ...checkout, root: checkout.gitDirs.root }, base);
  const imports = checkImports(checkout);
  const idle = checkSettings(checkout);
  const unread = await checkContext(checkout);
  const unlinted = checkLintCommand(checkout);
  const store = await getFinding('store', () => checkStore(checkout));
  return [
    await getFinding('tests', async () => checkTestCommand(checkout)),
    ...(unlinted ? [await getFinding('lint', async () => unlinted)] : []),
    ...(imports ? [await getFinding('imports', async () => imports)] : []),
    ...agents,
    ...(idle ? [await getFinding('settings', async () => idle)] : []),
    ...(unread ? [await getFinding('context', async () => unread)] : []),
    await getFinding('browser', async () => checkBrowser(checkout)),
    await getFinding('state', async () => checkStateDir(checkout)),
    store,
    await getFinding('worktrees', async () => checkCacheDir(checkout)),
    // What cannot be opened is asked once.
    ...(store.status === 'fail' ? [] : [await getFinding('workers', () => checkWorkers(checkout))]),
  ];
}
