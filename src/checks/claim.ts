import { matchesAny } from '../core/base/glob.ts';
import { NOTHING_CHANGED } from '../core/model/check.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/** At most the allowed number of tasks claimed, and the backlog changed in nothing but that flag. */
export const claim = defineCheck('claim', async ctx => {
  const { candidate, task, policy } = ctx;
  const foreign = candidate.claims.filter(id => id !== task.id);
  const findings = [
    ...candidate.backlogProblems,
    ...foreign.map(id => `task ${id} was marked as passing, but only task ${task.id} was assigned`),
  ];
  if (candidate.claims.length > policy.maxFeaturesPerSession) {
    findings.push(
      `${candidate.claims.length} tasks were claimed; at most ${policy.maxFeaturesPerSession} may be`,
    );
  }
  if (findings.length > 0) {
    return { status: 'failed', summary: `the backlog was changed in ways an agent may not`, findings };
  }
  const others = ctx.changes.filter(({ path }) => !isBacklogPath(policy, path) && path !== policy.notesPath);
  if (others.length === 0) {
    return {
      status: 'failed',
      summary: NOTHING_CHANGED,
      findings: ['the claim came without any change on disk'],
    };
  }
  // People put their work where they want.
  const refused = ctx.attempt.agent?.evidence ? others.filter(({ path }) => isRefused(ctx, path)) : [];
  if (refused.length > 0) {
    return {
      status: 'failed',
      summary: 'files were changed that an agent may not touch',
      findings: refused.map(({ path }) => `put ${path} back: tools.filesystem keeps agents from it`),
    };
  }
  const how = ctx.attempt.left ? 'left by a session that was cut off' : 'one task claimed';
  return { status: 'passed', summary: `${others.length} files changed, ${how}` };
});

function isRefused({ policy, task }: CheckContext, path: string): boolean {
  const { allowed, denied } = policy.files;
  const isIn = (entries: readonly string[]): boolean =>
    entries.some(entry => path === entry || path.startsWith(`${entry}/`)) || matchesAny(path, entries);
  if (matchesAny(path, task.mayChange)) return false;
  return isIn(denied) || (allowed !== null && path !== task.testFile && !isIn(allowed));
}
