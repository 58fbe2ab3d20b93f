import { checkAgents } from '../../../app/doctor/agents.ts';
import { checkBrowser } from '../../../app/doctor/browser.ts';
import { checkTestCommand } from '../../../app/doctor/commands.ts';
import { type Checkup, getFinding } from '../../../app/doctor/finding.ts';
import { checkGit, checkNode, checkSandbox, checkSqlite } from '../../../app/doctor/machine.ts';
import { checkCacheDir, checkStateDir, checkStore, checkWorkers } from '../../../app/doctor/places.ts';
import { checkBacklog, checkRepo } from '../../../app/doctor/project.ts';
import { checkImports } from '../../../app/doctor/python.ts';
import { type Checkout, getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { getCount } from '../../../core/base/text.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';

export interface DoctorOptions extends CommonOptions {
  /** Tells what tests and agents do not see of the machine. */
  readonly sandbox?: boolean;
  /** Tries the configured commands, as `init` does. */
  readonly trial?: boolean;
  /** The same, and changes what gave no result to what did. */
  readonly fix?: boolean;
}

/** `harness doctor`: everything a run needs, each with what is wrong and what to do about it. */
export async function doctor(io: Io, options: DoctorOptions): Promise<void> {
  const findings = await examine(io, options);
  const failed = findings.filter(finding => finding.status === 'fail').length;
  const warned = findings.filter(finding => finding.status === 'warn').length;
  io.exit(failed > 0 ? 1 : 0);
  if (options.json) {
    io.out(JSON.stringify({ ok: failed === 0, checks: findings }));
    return;
  }
  const style = createStyle(io.colourOut);
  const paint = { ok: style.good, warn: style.warn, fail: style.bad };
  for (const { name, status, detail, fix } of findings) {
    io.out(
      `${paint[status](status.padEnd(4))}  ${name.padEnd(12)} ${detail.replaceAll('\n', '\n                   ')}`,
    );
    if (fix && status !== 'ok')
      io.out(style.dim(`${' '.repeat(19)}fix: ${fix.replaceAll('\n', '\n                        ')}`));
  }
  io.out(
    `\n${findings.length - failed - warned} ok, ${getCount(warned, 'warning')}, ${getCount(failed, 'error')}`,
  );
  io.out(style.dim(`next: ${failed > 0 ? 'fix the errors, then harness doctor' : 'harness run --dry-run'}`));
}

/** One after the other; what needs a project is left out where there is none, after saying so. */
async function examine(io: Io, options: DoctorOptions): Promise<Checkup[]> {
  const where = getWhere(io, options.repo);
  const findings = [
    checkNode(process.versions.node),
    await getFinding('git', () => checkGit(where.cwd)),
    await getFinding('sqlite', async () => checkSqlite()),
  ];
  let checkout: Checkout | null = null;
  const config = await getFinding('config', async () => {
    checkout = await openCheckout(where);
    return { status: 'ok', detail: `${checkout.configFile} of project ${checkout.config.project.name}` };
  });
  let project: Project | null = null;
  const repo = await getFinding('repository', async () => {
    if (checkout) project = await openProject(where);
    return checkRepo(where.cwd, project);
  });
  findings.push(repo, config);
  if (checkout) findings.push(...(await examineCheckout(checkout, project)));
  if (project) findings.push(await getFinding('backlog', () => checkBacklog(project as unknown as Project)));
  const mode = checkout ? (checkout as Checkout).config.sandbox.mode : 'auto';
  findings.push(await getFinding('sandbox', () => checkSandbox(mode)));
  if (project && options.sandbox) {
    const { describeSandbox } = await import('../../../app/doctor/sandbox.ts');
    findings.push(...describeSandbox(project as Project, io.env));
  }
  if (project && (options.trial || options.fix)) {
    const { examineByTrial } = await import('../../../app/doctor/trial.ts');
    const examine = (watched: Parameters<typeof examineByTrial>[2]) =>
      examineByTrial(project as Project, options.fix ?? false, watched);
    findings.push(...(await withTrialWatcher(io, examine)));
  }
  return findings;
}

async function examineCheckout(checkout: Checkout, project: Project | null): Promise<Checkup[]> {
  const base = project?.repo.baseBranch ?? 'HEAD';
  const agents = await checkAgents(project ?? { ...checkout, root: checkout.places.root }, base);
  const imports = checkImports(checkout);
  return [
    await getFinding('tests', async () => checkTestCommand(checkout)),
    ...(imports ? [await getFinding('imports', async () => imports)] : []),
    ...agents,
    await getFinding('browser', async () => checkBrowser(checkout)),
    await getFinding('state', async () => checkStateDir(checkout)),
    await getFinding('store', async () => checkStore(checkout)),
    await getFinding('worktrees', async () => checkCacheDir(checkout)),
    await getFinding('workers', () => checkWorkers(checkout)),
  ];
}
