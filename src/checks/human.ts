import { getShellQuoted } from '../core/base/shell-quoted.ts';
import type { CheckResult } from '../core/model/check.ts';
import type { TaskDef } from '../core/model/task.ts';
import { type CheckContext, defineCheck, getPersonsAnswer } from './shared/context.ts';

/** A person has looked at exactly this work and said yes, where the task asks for a person at all. */
export const human = defineCheck('human', async ctx => {
  const { task } = ctx;
  const answer = getPersonsAnswer(ctx);
  if (task.verificationType === 'automated' && answer === null)
    return { status: 'skipped', summary: 'the task asks for nobody to look at it' };
  if (answer === null) {
    const things = task.manualChecks.length;
    const what = things > 0 ? `${things} things to look at` : 'nothing else can decide it';
    return {
      status: 'needs-human',
      summary: `a person has to look at it: ${what}`,
      findings: getQuestion(ctx),
    };
  }
  const note = answer.note ? `: ${answer.note}` : '';
  if (!answer.passed)
    return {
      status: 'failed',
      summary: `${answer.by} looked at it and said no${note}`,
      findings: [answer.note],
    };
  const moved = answer.tree === ctx.candidate.tree ? '' : ' (before it was put onto a newer base)';
  return { status: 'passed', summary: `${answer.by} looked at it and said yes${moved}${note}` };
});

/** All that a person needs to answer, to be read days later. */
function getQuestion({ task, candidate, baseTree, earlier = [] }: CheckContext): string[] {
  const short = candidate.commit.slice(0, 12);
  return [
    ...getLookAt(task).map(thing => `look at: ${thing}`),
    ...earlier.flatMap(getKept),
    `what changed: git diff ${baseTree.slice(0, 12)} ${short}`,
    `to try it: git worktree add --detach ../look-${short} ${short}`,
    `then: harness approve ${getShellQuoted(task.id)}   or   harness approve ${getShellQuoted(task.id)} --send-back "what is wrong"`,
  ];
}

/** Each screenshot; of what a run of tests leaves there may be hundreds. */
function getKept({ check, artifacts = [] }: CheckResult): string[] {
  if (check === 'visual') return artifacts.map(({ path }) => `screenshot: ${path}`);
  const [first] = artifacts;
  return first ? [`${check} left ${artifacts.length} files: ${first.path} and so on`] : [];
}

function getLookAt({ manualChecks, verificationSteps, title }: TaskDef): readonly string[] {
  if (manualChecks.length > 0) return manualChecks;
  return verificationSteps.length > 0 ? verificationSteps : [title];
}
