import type { ArtifactRef } from '../core/model/facts.ts';
import type { VisualPolicy } from '../core/model/policy.ts';
import { getSafeName } from '../core/proof/commit-message.ts';
import type { LookResult, Sight } from '../ports/index.ts';
import type { Side } from '../testruns/places.ts';
import type { CheckContext } from './shared/context.ts';
import { defineCheck } from './shared/context.ts';

/**
 * Looks at the running application in a real browser and keeps what it saw, before and after, for
 * people. Only what needs no taste is held against the work: a page that is blank or breaks.
 */
export const visual = defineCheck('visual', async ctx => {
  const wanted = getWanted(ctx);
  if (typeof wanted === 'string') return { status: 'skipped', summary: wanted };
  const missing = ctx.ports.browser ? ctx.ports.browser.missing : 'no browser is at hand here';
  if (missing !== null) return getUnseen(wanted, missing);
  const after = await look(ctx, wanted, 'candidate', ctx.candidate.tree);
  const before = await look(ctx, wanted, 'base', ctx.baseTree);
  const fault = [after, before].find(({ isBrowserFault }) => isBrowserFault);
  if (fault) return getUnseen(wanted, fault.problem ?? 'the browser failed');
  const artifacts = [...(await keep(ctx, 'before', before)), ...(await keep(ctx, 'after', after))];
  return { ...judge(before, after), commands: [wanted.command], artifacts };
});

/** Where a look is required, none is no pass. */
function getUnseen({ mode }: VisualPolicy, why: string) {
  const status = mode === 'required' ? 'inconclusive' : 'skipped';
  return { status, summary: `nobody looked at it: ${why}` } as const;
}

/** What to look at, or why nobody has to. */
function getWanted({ policy, task }: CheckContext): VisualPolicy | string {
  const { visual: settings } = policy;
  if (task.visual === null && task.verificationType === 'automated') return 'the task asks for no look at it';
  if (settings === null) return 'dev_server.command and dev_server.url are not set';
  if (settings.mode === 'off') return 'tools.visual_verification.mode is "off"';
  return settings;
}

async function look(
  ctx: CheckContext,
  settings: VisualPolicy,
  side: Side,
  tree: string,
): Promise<LookResult> {
  const { signal, task, ports } = ctx;
  const dir = await ctx.tests.layOut({ side, tree });
  const { command, url, viewports, readyMs } = settings;
  const pages = [...new Set([...settings.pages, ...getPages(task.visual ?? [])])];
  const nothing: LookResult = { problem: 'no browser', sights: [] };
  return (await ports.browser?.look({ dir, command, url, pages, viewports, readyMs, signal })) ?? nothing;
}

/** Paths that the steps name: "Navigate to /profile/settings". */
function getPages(steps: readonly string[]): string[] {
  return steps.flatMap(step => [...step.matchAll(/(?<=^|\s)\/[\w\-./?=&%]*/g)].map(([path]) => path));
}

function judge(before: LookResult, after: LookResult) {
  if (after.problem !== null) {
    const summary =
      before.problem === null ? 'the application no longer comes up' : 'the application does not come up';
    return {
      status: before.problem === null ? 'failed' : 'warned',
      summary,
      findings: [after.problem],
    } as const;
  }
  const was = new Map(before.sights.map(sight => [getName(sight), sight]));
  const broken = after.sights.filter(sight => isBroken(sight) && !isBrokenThere(was.get(getName(sight))));
  if (broken.length > 0) {
    const findings = broken.flatMap(sight => [getBreak(sight), ...sight.errors.slice(0, 3)]);
    return { status: 'failed', summary: `${broken.length} pages are broken or blank`, findings } as const;
  }
  const findings = after.sights.flatMap(sight => getComplaints(sight, was.get(getName(sight))));
  const summary = `${after.sights.length} views were looked at`;
  return { status: findings.length > 0 ? 'warned' : 'passed', summary, findings } as const;
}

/** A page that was blank before may stay so; one that was not there at all has nothing to hide behind. */
function isBrokenThere(sight: Sight | undefined): boolean {
  return sight !== undefined && isBroken(sight) && sight.status !== 404;
}

function isBroken({ status, isBlank }: Sight): boolean {
  return status === null || status >= 500 || isBlank;
}

function getBreak(sight: Sight): string {
  const how =
    sight.status === null
      ? 'could not be loaded'
      : sight.status >= 500
        ? `answers ${sight.status}`
        : 'is blank';
  return `${getName(sight)} ${how}`;
}

/** What the browser complains about now and did not before. */
function getComplaints(sight: Sight, before: Sight | undefined): string[] {
  const known = new Set([...(before?.errors ?? []), ...(before?.failures ?? [])].map(getShape));
  return [...sight.errors, ...sight.failures]
    .filter(line => !known.has(getShape(line)))
    .map(line => `${getName(sight)}: ${line}`);
}

/** Ports differ from run to run. */
function getShape(line: string): string {
  return line.replace(/\d+/g, '0');
}

function getName({ page, viewport }: Pick<Sight, 'page' | 'viewport'>): string {
  return `${page} at ${viewport.width}x${viewport.height}`;
}

async function keep(ctx: CheckContext, when: string, { sights }: LookResult): Promise<ArtifactRef[]> {
  const { session } = ctx.attempt;
  if (session === undefined) return [];
  const refs: ArtifactRef[] = [];
  for (const { page, viewport, png } of sights) {
    if (png === null) continue;
    const name = `${when}-${getSafeName(page)}-${viewport.width}x${viewport.height}.png`;
    const folder = `sessions/session-${session}-task-${getSafeName(ctx.task.id)}/screenshots`;
    refs.push(await ctx.ports.artifacts.write(`${folder}/${name}`, png));
  }
  return refs;
}
