import { matchesAny } from '../../core/base/glob.ts';
import type { SettledFinding } from '../../core/model/finding.ts';
import { getRoleSettings } from '../../core/model/policy.ts';
import { getBasis } from '../../core/model/task.ts';
import { addUsage, type Usage } from '../../core/model/usage.ts';
import { getPrompt } from '../../core/prompt/prompt.ts';
import { REVIEW_SCHEMA, readAnswer } from '../../core/review/read-answer.ts';
import type { Agent } from '../../ports/index.ts';
import { readShared } from '../observed.ts';
import { type CheckContext, defineCheck, getPersonsAnswer, wroteOwnTest } from '../shared/context.ts';
import { readUnturned, type Unturned } from '../tests/unturned.ts';
import { askOnce, findReviewer } from './ask.ts';
import { getReviewBrief, readShown } from './brief.ts';
import { settleFindings } from './settle-findings.ts';

/**
 * Where the coder wrote its own test, nothing turned from red to green, or a design is all there is, somebody else
 * reads the work against the task. A reviewer can only find, and what it finds is looked into before it counts; where
 * no answer can be had, and where findings are left after the last pass, a person decides.
 */
export const review = defineCheck('review', async ctx => {
  const isBasis = getBasis(ctx.task) === 'review';
  const tests = isBasis ? getWritten(ctx) : await readShared(ctx);
  const unturned = await readUnturned(ctx);
  if (ctx.policy.review === 'off' && (isBasis || unturned === 'unchanged')) {
    const why = isBasis ? 'a review is all that could prove it' : 'nothing turned green';
    return { status: 'needs-human', summary: `${why}, and verification.review is off` };
  }
  if (!isBasis && !isWanted(ctx, tests, unturned))
    return { status: 'skipped', summary: 'no review is asked for' };
  const answer = getPersonsAnswer(ctx);
  if (answer?.passed) return { status: 'passed', summary: `${answer.by} read it in the place of a reviewer` };
  const agent = findReviewer(ctx);
  if (!agent) return { status: 'needs-human', summary: 'there is no reviewer' };
  const { testFile } = ctx.task;
  const shown = await readShown(ctx, [...(testFile === null ? [] : [testFile]), ...tests]);
  const brief = getReviewBrief(ctx, shown, unturned);
  const { findings, usage, why } = await ask(ctx, agent, brief);
  if (findings === null) {
    const summary = `the reviewer gave no answer that can be used: ${why.slice(0, 500)}`;
    const files = shown.map(({ path }) => path).join(', ');
    return { status: 'needs-human', summary, findings: [`read ${files} yourself`], usage };
  }
  const settled = await settleFindings(ctx, agent, { findings, shown, brief });
  return {
    ...conclude(ctx, agent, settled.found),
    found: settled.found,
    usage: addUsage(usage, settled.usage),
  };
});

/** An answer that says nothing is asked for once more: that is nobody's verdict. */
async function ask(ctx: CheckContext, agent: Agent, brief: string) {
  const prompt = getPrompt(ctx.policy, 'review', brief);
  const question = { role: 'review', prompt, schema: REVIEW_SCHEMA } as const;
  let usage: Usage | null = null;
  let why = '';
  for (let asked = 0; asked < 2; asked++) {
    const { outcome, structured, failure, summary, usage: spent } = await askOnce(ctx, agent, question);
    usage = usage === null ? spent : addUsage(usage, spent);
    const isAnswer = outcome === 'claimed' || failure?.kind === 'malformed';
    const findings = isAnswer ? readAnswer(structured, failure?.words ?? '') : null;
    if (findings !== null) return { findings, usage, why };
    why = summary;
    if (!isAnswer) break;
  }
  return { findings: null, usage: usage as Usage, why };
}

/** The files that a task of a design wrote. */
function getWritten({ changes, task }: CheckContext): string[] {
  return changes.flatMap(({ path, kind }) =>
    kind !== 'deleted' && matchesAny(path, task.outputs ?? []) ? [path] : [],
  );
}

function isWanted(ctx: CheckContext, shared: readonly string[], unturned: Unturned | null): boolean {
  const { review: wanted } = ctx.policy;
  if (wanted === 'off') return false;
  if (unturned !== null || wanted === 'always') return true;
  return shared.length > 0 || (wroteOwnTest(ctx) && !isAuthored(ctx));
}

/** Written for this task by somebody else, before the coder came. */
function isAuthored({ attempt, task }: CheckContext): boolean {
  return task.testFile !== null && attempt.tests?.[task.testFile] !== undefined;
}

/** What the findings that stand add up to. */
function conclude(ctx: CheckContext, agent: Agent, found: readonly SettledFinding[]) {
  const having = (what: SettledFinding['settled']) => found.filter(({ settled }) => settled === what);
  const blocking = having('blocks');
  const grave = having('person');
  const passes = (ctx.attempt.reviews?.passes ?? 0) + 1;
  const lines = (list: readonly SettledFinding[]) => list.map(getLine);
  if (blocking.length > 0 && passes >= ctx.policy.maxReviewPasses) {
    const summary = `review findings remain after ${passes} ${passes === 1 ? 'pass' : 'passes'}`;
    return { status: 'needs-human', summary, findings: lines([...grave, ...blocking]) } as const;
  }
  if (blocking.length > 0)
    return { status: 'failed', summary: getSummary(agent, found), findings: lines(blocking) } as const;
  if (grave.length > 0)
    return { status: 'needs-human', summary: getSummary(agent, found), findings: lines(grave) } as const;
  if (getBasis(ctx.task) === 'review' && isSameMind(ctx, agent)) {
    const summary = `the reviewer is the same model as the author (${agent.provider}), and nothing but its reading could prove this`;
    const files = getWritten(ctx).join(', ');
    const findings = [`read ${files} yourself`, 'or set models.review to another model'];
    return { status: 'needs-human', summary, findings } as const;
  }
  return { status: 'passed', summary: getSummary(agent, found) } as const;
}

/** Whether author and reviewer are one and the same model, which would only agree with itself. */
function isSameMind({ attempt, policy }: CheckContext, { provider }: Agent): boolean {
  const author = attempt.agent;
  if (author?.provider !== provider) return false;
  return (author.model ?? null) === (getRoleSettings(policy, 'review', provider).model ?? null);
}

/** As the agent is told, and people read it. */
function getLine({ severity, file, line, claim, criterion, test, why }: SettledFinding): string {
  const where = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}:`;
  const step = criterion === null ? '' : ` (asked for: "${criterion}")`;
  const shown = test === null || !why.includes('test is red') ? '' : `\nthis test is red:\n${test.content}`;
  return `${severity}:${where} ${claim}${step}${shown}`;
}

const WORDS: readonly (readonly [SettledFinding['settled'], string])[] = [
  ['blocks', 'to put right'],
  ['person', 'for a person'],
  ['later', 'for later'],
  ['unfounded', 'without ground'],
  ['refuted', 'refuted'],
];

function getSummary({ provider }: Agent, found: readonly SettledFinding[]): string {
  const counts = WORDS.map(([what, words]) => [
    found.filter(({ settled }) => settled === what).length,
    words,
  ]);
  const parts = counts.filter(([count]) => count !== 0).map(([count, words]) => `${count} ${words}`);
  return parts.length === 0 ? `${provider} finds nothing` : `${provider} finds ${parts.join(', ')}`;
}
