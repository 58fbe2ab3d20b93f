import type { EndToEndPolicy } from '../../core/model/policy.ts';
import { isLeftOut, type KeptFiles, type RunnerKind, type TestRun } from '../../core/model/testing.ts';
import { getSafeName } from '../../core/proof/commit-message.ts';
import { findNoTests } from '../../core/testing/no-tests.ts';
import type { ProducedFiles } from '../../ports/index.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { type CheckContext, getTree } from '../shared/context.ts';
import { mayBeGone } from './hidden-damage.ts';

/** What a run is called in which something else is red than one of its tests: no report, no application. */
export const WHOLE = '(all of them)';

/** One run of the end-to-end suite on one side. What the candidate leaves behind is kept with its session. */
export function runEndToEnd(
  ctx: CheckContext,
  { command, runner, application, artifactDirs }: EndToEndPolicy,
  side: Side,
  repeat = 0,
): Promise<TestRun> {
  const isKept = side === 'candidate' && repeat === 0 && ctx.attempt.session !== undefined;
  return ctx.tests.run({
    purpose: repeat === 0 ? `e2e, ${side}` : `e2e again, ${side}`,
    ...{ side, tree: getTree(ctx, side), repeat, command, runner, reportPath: null, idWithoutReport: 'e2e' },
    timeoutMs: ctx.policy.testTimeoutMs,
    endToEnd: { application, artifactDirs },
    ...(isKept ? { keep: produced => keep(ctx, produced) } : {}),
  });
}

async function keep(ctx: CheckContext, { files, left }: ProducedFiles): Promise<KeptFiles> {
  const folder = `sessions/session-${ctx.attempt.session}-task-${getSafeName(ctx.task.id)}/e2e`;
  const artifacts: KeptFiles['artifacts'][number][] = [];
  for (const { path, bytes } of files) {
    const name = path.split('/').map(getPlainName).join('/');
    artifacts.push(await ctx.ports.artifacts.write(`${folder}/${name}`, getText(bytes) ?? bytes));
  }
  return { artifacts, left };
}

/** Text is written without its secrets, which only text can be searched for. */
function getText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reports link to their files by name: names that can stay do. */
function getPlainName(name: string): string {
  return /^[\w.@,=()[\] -]+$/.test(name) ? name : getSafeName(name).slice(-200);
}

/** Why a run says nothing of the work; null where it does. */
export function getTrouble({ timedOut, unserved }: TestRun): string | null {
  if (timedOut) return 'the end-to-end tests ran out of time';
  return unserved && unserved.fault !== 'down' ? unserved.why : null;
}

const NO_TESTS = 'no tests were collected';

/** What is red, by id, and what it says. */
export function getRed({ results, reportProblem, outputTail }: TestRun): ReadonlyMap<string, string> {
  if (reportProblem !== undefined && reportProblem !== NO_TESTS)
    return new Map([[WHOLE, [reportProblem, outputTail.slice(-600)].join('\n').trim()]]);
  const red = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  return new Map(red.map(({ id, outcome, message }) => [id, message ?? outcome]));
}

/** How many tests were run; of a command without a report one, unless it says that there was none. */
export function getCollected({ results, outputTail }: TestRun, runner: RunnerKind): number {
  if (runner === 'command' && findNoTests(outputTail) !== null) return 0;
  return results.filter(result => !isLeftOut(result)).length;
}

/** Tests that passed on the base and were not run with the change, without the task's leave. */
export function getLost(ctx: CheckContext, before: TestRun, after: TestRun): readonly string[] {
  const run = new Set(after.results.filter(result => !isLeftOut(result)).map(({ id }) => id));
  return before.results.flatMap(({ id, outcome }) => {
    const isLost = outcome === 'passed' && !run.has(id) && !mayBeGone(ctx, id);
    return isLost && !ctx.quarantine?.has(id) ? [id] : [];
  });
}
