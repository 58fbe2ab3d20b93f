import { getBasis } from '../core/model/task.ts';
import { getTestFile } from '../core/model/testing.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/** The agent's own tool calls show that it ran the task's tests, with success, after its last edit. */
export const evidence = defineCheck('evidence', async ctx => {
  if (!ctx.policy.requireEvidence) return { status: 'skipped', summary: 'not asked for' };
  if (getBasis(ctx.task) === 'review') return { status: 'skipped', summary: 'the task has no tests' };
  const shown = ctx.attempt.agent?.evidence;
  if (!shown) return { status: 'skipped', summary: 'there is no session to look at' };
  if (!shown.isReported)
    return { status: 'skipped', summary: 'the agent does not tell which commands it runs' };
  if (shown.testRunAfterLastEdit)
    return { status: 'passed', summary: `the tests were run after the last edit: ${shown.commands.at(-1)}` };
  if (shown.othersRed && isRedAnyway(ctx)) {
    const summary = `the whole suite was run after the last edit, and is red on the base too: ${shown.commands.at(-1)}`;
    return { status: 'passed', summary };
  }
  const what = shown.commands.length > 0 ? `did not succeed: ${shown.commands.at(-1)}` : 'were not run';
  return {
    status: 'failed',
    summary: `the tests ${what}${shown.lastEdit === null ? '' : ` after the last edit (${shown.lastEdit})`}`,
    findings: [
      `run ${getCommand(ctx)} after your last change, and say that you are done only when it passes`,
    ],
  };
});

/** Whether the base has failing tests that this task need not mend, such as the stubs of others. */
function isRedAnyway({ baseline, task }: CheckContext): boolean {
  return baseline.failing.some(id => getTestFile(id) !== task.testFile);
}

function getCommand({ task, policy }: CheckContext): string {
  const own = task.testFile === null ? null : getFeatureCommand(policy.testing, task.testFile);
  return own ?? task.validation?.command ?? policy.testing.full ?? 'the tests';
}
