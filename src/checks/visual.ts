import type { ArtifactRef } from '../core/model/facts.ts';
import type { VisualPolicy } from '../core/model/policy.ts';
import { getSafeName } from '../core/proof/commit-message.ts';
import type { CaptureResult, Screenshot } from '../ports/index.ts';
import type { Side } from '../testruns/worktrees.ts';
import { type CheckContext, defineCheck, getPersonsAnswer } from './shared/context.ts';

/**
 * Looks at the running application in a real browser and keeps what it saw, before and after, for
 * people. Only what needs no taste is held against the work: a page that is blank or breaks.
 */
export const visual = defineCheck('visual', async ctx => {
  const wanted = getWanted(ctx);
  if (typeof wanted === 'string') return { status: 'skipped', summary: wanted };
  if (wanted === null) return askForEyes(ctx);
  const missing = ctx.ports.browser ? ctx.ports.browser.missing : 'no browser is at hand here';
  if (missing !== null) return getUnseen(ctx, wanted, missing);
  const after = await capture(ctx, wanted, 'candidate', ctx.candidate.tree);
  const before = await capture(ctx, wanted, 'base', ctx.baseTree);
  const fault = [after, before].find(({ isBrowserFault }) => isBrowserFault);
  if (fault) return getUnseen(ctx, wanted, fault.problem ?? 'the browser failed');
  const artifacts = [...(await keep(ctx, 'before', before)), ...(await keep(ctx, 'after', after))];
  return { ...judge(before, after), commands: [wanted.command], artifacts };
});

/** Where a look is required, none is no pass; where the task asks for one, none is not passed over in silence. */
function getUnseen({ task }: CheckContext, { mode }: VisualPolicy, why: string) {
  const without = task.visual === null ? 'skipped' : 'warned';
  const status = mode === 'required' ? 'inconclusive' : without;
  return { status, summary: `nobody looked at it: ${why}` } as const;
}

/** A task that wants a look and a project that cannot be looked at: a person has eyes, and is asked to use them. */
function askForEyes(ctx: CheckContext) {
  const why = 'dev_server.command and dev_server.url are not set';
  const answer = getPersonsAnswer(ctx);
  if (answer?.passed)
    return { status: 'passed', summary: `${answer.by} looked at it instead of a browser: ${why}` } as const;
  const findings = (ctx.task.visual ?? []).map(step => `look: ${step}`);
  return { status: 'needs-human', summary: `the task asks for a look, and ${why}`, findings } as const;
}

/** What to look at, why nobody has to; null where somebody has to, and no browser can. */
function getWanted({ policy, task }: CheckContext): VisualPolicy | string | null {
  const { visual: settings } = policy;
  if (task.visual === null && task.verificationType === 'automated') return 'the task asks for no look at it';
  if (settings === null && task.visual !== null) return null;
  if (settings === null) return 'dev_server.command and dev_server.url are not set';
  if (settings.mode === 'off') return 'tools.visual_verification.mode is "off"';
  return settings;
}

async function capture(
  ctx: CheckContext,
  settings: VisualPolicy,
  side: Side,
  tree: string,
): Promise<CaptureResult> {
  const { signal, task, ports } = ctx;
  const dir = await ctx.tests.checkOut({ side, tree });
  const { command, url, viewports, readyMs } = settings;
  const pages = [...new Set([...settings.pages, ...getPages(task.visual ?? [])])];
  const surroundings = await ctx.tests.openSurroundings();
  const nothing: CaptureResult = { problem: 'no browser', screenshots: [] };
  const request = { dir, command, url, pages, viewports, readyMs, signal, surroundings };
  return (await ports.browser?.capture(request)) ?? nothing;
}

/** Paths that the steps name: "Navigate to /profile/settings". */
function getPages(steps: readonly string[]): string[] {
  return steps.flatMap(step => [...step.matchAll(/(?<=^|\s)\/[\w\-./?=&%]*/g)].map(([path]) => path));
}

function judge(before: CaptureResult, after: CaptureResult) {
  if (after.problem !== null) {
    const summary =
      before.problem === null ? 'the application no longer comes up' : 'the application does not come up';
    return {
      status: before.problem === null ? 'failed' : 'warned',
      summary,
      findings: [after.problem],
    } as const;
  }
  const was = new Map(before.screenshots.map(screenshot => [getName(screenshot), screenshot]));
  const broken = after.screenshots.filter(
    screenshot => isBroken(screenshot) && !isBrokenThere(was.get(getName(screenshot))),
  );
  if (broken.length > 0) {
    const findings = broken.flatMap(screenshot => [getBreak(screenshot), ...screenshot.errors.slice(0, 3)]);
    return { status: 'failed', summary: `${broken.length} pages are broken or blank`, findings } as const;
  }
  const findings = after.screenshots.flatMap(screenshot =>
    getComplaints(screenshot, was.get(getName(screenshot))),
  );
  const summary = `${after.screenshots.length} views were looked at`;
  return { status: findings.length > 0 ? 'warned' : 'passed', summary, findings } as const;
}

/** A page that was blank before may stay so; one that was not there at all has nothing to hide behind. */
function isBrokenThere(screenshot: Screenshot | undefined): boolean {
  return screenshot !== undefined && isBroken(screenshot) && screenshot.status !== 404;
}

function isBroken({ status, isBlank }: Screenshot): boolean {
  return status === null || status >= 500 || isBlank;
}

function getBreak(screenshot: Screenshot): string {
  const how =
    screenshot.status === null
      ? 'could not be loaded'
      : screenshot.status >= 500
        ? `answers ${screenshot.status}`
        : 'is blank';
  return `${getName(screenshot)} ${how}`;
}

/** What the browser complains about now and did not before. */
function getComplaints(screenshot: Screenshot, before: Screenshot | undefined): string[] {
  const known = new Set([...(before?.errors ?? []), ...(before?.failures ?? [])].map(getShape));
  return [...screenshot.errors, ...screenshot.failures]
    .filter(line => !known.has(getShape(line)))
    .map(line => `${getName(screenshot)}: ${line}`);
}

/** Ports differ from run to run. */
function getShape(line: string): string {
  return line.replace(/\d+/g, '0');
}

function getName({ page, viewport }: Pick<Screenshot, 'page' | 'viewport'>): string {
  return `${page} at ${viewport.width}x${viewport.height}`;
}

async function keep(ctx: CheckContext, when: string, { screenshots }: CaptureResult): Promise<ArtifactRef[]> {
  const { session } = ctx.attempt;
  if (session === undefined) return [];
  const refs: ArtifactRef[] = [];
  for (const { page, viewport, png } of screenshots) {
    if (png === null) continue;
    const name = `${when}-${getSafeName(page)}-${viewport.width}x${viewport.height}.png`;
    const folder = `sessions/session-${session}-task-${getSafeName(ctx.task.id)}/screenshots`;
    refs.push(await ctx.ports.artifacts.write(`${folder}/${name}`, png));
  }
  return refs;
}
