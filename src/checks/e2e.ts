import type { CheckResult } from '../core/model/check.ts';
import type { EndToEndPolicy } from '../core/model/policy.ts';
import type { TestRun } from '../core/model/testing.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { seeAgain } from './tests/end-to-end-again.ts';
import { getCollected, getLost, getRed, getTrouble, runEndToEnd, WHOLE } from './tests/end-to-end-runs.ts';

type Body = Pick<CheckResult, 'status' | 'summary'> & Partial<CheckResult>;

/**
 * The end-to-end suite against the running application, with the change and on the base: only what is newly red, and red
 * whenever it is looked at, is held against the work. It comes before a review, because the machine's time is cheap.
 */
export const e2e = defineCheck('e2e', async ctx => {
  const { e2e: settings } = ctx.policy;
  if (settings === null) return { status: 'skipped', summary: 'e2e.command is not set' };
  const after = await runEndToEnd(ctx, settings, 'candidate');
  const body = await judge(ctx, settings, after);
  const { artifacts = [], left = [] } = after.kept ?? {};
  const findings = [...(body.findings ?? []), ...left.map(line => `not kept: ${line}`)];
  return { ...body, findings, commands: [settings.command], artifacts };
});

async function judge(ctx: CheckContext, settings: EndToEndPolicy, after: TestRun): Promise<Body> {
  const trouble = getTrouble(after);
  if (trouble !== null) return getInconclusive(after, trouble);
  const red = getRed(after);
  const count = getCollected(after, settings.runner);
  const isByExitCode = settings.runner === 'command';
  if (red.size === 0 && count > 0 && isByExitCode) return { status: 'passed', summary: `${PASSES}${WEAKER}` };
  const before = await runEndToEnd(ctx, settings, 'base');
  if (red.size === 0 && count === 0) return getNoTests(getCollected(before, settings.runner));
  const unknown = getTrouble(before) ?? (getRed(before).has(WHOLE) ? getRed(before).get(WHOLE) : null);
  if (unknown && red.size > 0) return getUncomparable(before, unknown, after);
  const known = getRed(before);
  const fresh = [...red.keys()].filter(id => !known.has(id) && !ctx.quarantine?.has(id));
  const suspects = [...fresh, ...(unknown || red.has(WHOLE) ? [] : getLost(ctx, before, after))];
  const { worse, flaky } = await seeAgain(ctx, settings, suspects, { before, after });
  if (worse.length > 0) return getWorse(after, worse, isByExitCode);
  const old = [...red.keys()].filter(id => known.has(id));
  const aside = flaky > 0 ? `, ${flaky} flaky ones left aside` : '';
  if (old.length === 0)
    return { status: 'passed', summary: `${count - red.size} end-to-end tests pass, none got worse${aside}` };
  const summary = isByExitCode
    ? `the end-to-end tests fail as they do on the base${WEAKER}`
    : `${old.length} end-to-end tests are red as they are on the base, none got worse${aside}`;
  return { status: 'warned', summary, findings: old.map(id => `${id} is red on the base as well`) };
}

const PASSES = 'the end-to-end tests pass';
const WEAKER = '; by the exit code alone, which says less than a report: which tests were run nobody knows';

/** Only the candidate's own time-out is about the work, and even that says nothing for sure. */
function getInconclusive(run: TestRun, trouble: string): Body {
  const measures = run.timedOut ? { timedOut: 1 } : { environment: 1 };
  return { status: 'inconclusive', summary: trouble, findings: getTail(run), measures };
}

function getUncomparable(before: TestRun, why: string, after: TestRun): Body {
  const [first = ''] = why.split('\n', 1);
  const summary = `the end-to-end tests are red with the change, and on the base they cannot be run: ${first}`;
  return {
    status: 'inconclusive',
    summary,
    findings: [...getTail(before, ' on the base'), ...getTail(after)],
    measures: { environment: 1 },
  };
}

/** A run of nothing is no pass, whatever its exit code: where there were tests before, the change has lost them. */
function getNoTests(count: number): Body {
  if (count > 0)
    return {
      status: 'failed',
      summary: `${count} end-to-end tests were run on the base, and none with the change`,
    };
  const summary = 'e2e.command runs no test at all, here or on the base: that is no pass';
  return { status: 'inconclusive', summary, measures: { environment: 1 } };
}

function getWorse(after: TestRun, worse: readonly string[], isByExitCode: boolean): Body {
  const red = getRed(after);
  const findings = worse.slice(0, MAX_NAMED).map(id => {
    const message = red.get(id) ?? 'passed before and was not run with the change';
    return id === WHOLE ? message : `${id} passes on the base and is red now: ${message.slice(0, 600)}`;
  });
  const down = after.unserved ? 'the application no longer comes up' : null;
  const count = worse.length === 1 ? 'one end-to-end test' : `${worse.length} end-to-end tests`;
  const summary = isByExitCode
    ? `the end-to-end tests fail and did not on the base${WEAKER}`
    : `${count} got worse`;
  return {
    status: 'failed',
    summary: down ?? summary,
    findings: [...findings, ...getTail(after)],
    failing: worse.filter(id => id !== WHOLE),
  };
}

const MAX_NAMED = 50;
const MAX_LINES = 80;

/** The end of what was printed, as one finding. */
function getTail({ outputTail }: TestRun, where = ''): string[] {
  const lines = outputTail.split('\n').slice(-MAX_LINES).join('\n').trim();
  return lines === '' ? [] : [`the end of the output${where}:\n${lines}`];
}
