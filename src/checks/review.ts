import { matchesAny } from '../core/base/glob.ts';
import { getProviders, getRoleSettings } from '../core/model/policy.ts';
import { getBasis } from '../core/model/task.ts';
import { getPrompt } from '../core/prompt/prompt.ts';
import type { Agent } from '../ports/index.ts';
import { readShared } from './observed.ts';
import { readChangedSources } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck, getPersonsAnswer, wroteOwnTest } from './shared/context.ts';
import { readUnturned, type Unturned } from './tests/unturned.ts';

/**
 * Where the coder wrote its own test, or nothing turned from red to green, somebody else reads the work against the
 * verification steps. The reviewer can only take away: its yes proves nothing, and where it cannot be had a person
 * decides.
 */
export const review = defineCheck('review', async ctx => {
  const { testFile } = ctx.task;
  const isBasis = getBasis(ctx.task) === 'review';
  const shared = isBasis ? getWritten(ctx) : await readShared(ctx);
  const unturned = await readUnturned(ctx);
  if (ctx.policy.review === 'off' && (isBasis || unturned === 'unchanged')) {
    const why = isBasis ? 'a review is all that could prove it' : 'nothing turned green';
    return { status: 'needs-human', summary: `${why}, and verification.review is off` };
  }
  if (!isBasis && !isWanted(ctx, shared, unturned))
    return { status: 'skipped', summary: 'no review is asked for' };
  const answer = getPersonsAnswer(ctx);
  if (answer?.passed) return { status: 'passed', summary: `${answer.by} read it in the place of a reviewer` };
  const files = [...(testFile === null ? [] : [testFile]), ...shared];
  const what = files.join(', ');
  const agent = findReviewer(ctx);
  if (!agent) return { status: 'needs-human', summary: 'there is no reviewer' };
  const { outcome, structured, usage, summary } = await ask(ctx, agent, files, unturned);
  const spent = { usage };
  const reply = getAnswer(structured);
  if (outcome !== 'claimed' || reply === null) {
    const why = `the reviewer gave no answer that can be used: ${summary.slice(0, 500)}`;
    return { status: 'needs-human', summary: why, findings: [`read ${what} yourself`], ...spent };
  }
  if (reply.verdict === 'approve' && isBasis && isSameMind(ctx, agent)) {
    const why = `the reviewer is the same model as the author (${agent.provider}), and nothing but its reading could prove this`;
    const findings = [`read ${what} yourself`, 'or set models.review to another model'];
    return { status: 'needs-human', summary: why, findings, ...spent };
  }
  if (reply.verdict === 'approve')
    return {
      status: 'passed',
      summary: `${agent.provider} finds ${isBasis ? `nothing missing in ${what}` : getYes(what, unturned)}`,
      ...spent,
    };
  const lacks = isBasis ? 'do what the task asks' : 'test the task';
  const findings = reply.findings.length > 0 ? reply.findings : [`${what} does not ${lacks}`];
  return { status: 'failed', summary: `the review of ${what} says no`, findings, ...spent };
});

/** The files that a task of a design wrote. */
function getWritten({ changes, task }: CheckContext): string[] {
  return changes.flatMap(({ path, kind }) =>
    kind !== 'deleted' && matchesAny(path, task.outputs ?? []) ? [path] : [],
  );
}

/** Whether author and reviewer are one and the same model, which would only agree with itself. */
function isSameMind({ attempt, policy }: CheckContext, { provider }: Agent): boolean {
  const author = attempt.agent;
  if (author?.provider !== provider) return false;
  return (author.model ?? null) === (getRoleSettings(policy, 'review', provider).model ?? null);
}

function getYes(what: string, unturned: Unturned | null): string {
  if (unturned === 'unchanged') return 'that the task asks for no new behaviour, and that this does it';
  return `that ${what} tests the task`;
}

function isWanted(ctx: CheckContext, shared: readonly string[], unturned: Unturned | null): boolean {
  const { review: wanted } = ctx.policy;
  if (wanted === 'off') return false;
  if (unturned !== null) return true;
  if (wanted === 'always' && ctx.task.testFile !== null) return true;
  return shared.length > 0 || (wroteOwnTest(ctx) && !isAuthored(ctx));
}

/** Written for this task by somebody else, before the coder came. */
function isAuthored({ attempt, task }: CheckContext): boolean {
  return task.testFile !== null && attempt.tests?.[task.testFile] !== undefined;
}

function findReviewer({ ports, policy }: CheckContext): Agent | undefined {
  const agents = [ports.agent, ...(ports.fallbacks ?? [])];
  return getProviders(policy, 'review')
    .flatMap(name => agents.filter(({ provider }) => provider === name))
    .find(({ capabilities }) => capabilities?.modes.includes('complete') ?? true);
}

async function ask(ctx: CheckContext, agent: Agent, tests: readonly string[], unturned: Unturned | null) {
  const { ports, policy, attempt, candidate, signal, task } = ctx;
  // A program that is told by a path in the project is the base's own there, with all that it loads.
  const cwd = await ctx.tests.checkOut({ side: 'base', tree: ctx.baseTree });
  const candidateDir = await ctx.tests.checkOut({ side: 'candidate', tree: candidate.tree });
  const sources = unturned === 'unchanged' ? await readChangedSources(ctx) : [];
  const files = [...tests, ...sources.map(({ path }) => path)];
  const texts = await Promise.all(files.map(path => ports.workspace.readFile(candidate.commit, path)));
  const shown = files.map((path, at) => ({ path, text: texts[at] ?? '' }));
  const number = attempt.number ?? 0;
  return agent.run(
    {
      ...{ task, attempt: number, session: attempt.session ?? 0, signal, schema: SCHEMA },
      ...{ cwd, candidateDir },
      role: 'review',
      surroundings: await ctx.tests.openSurroundings(),
      turn: number + (attempt.round ?? 0),
      mode: 'complete',
      prompt: getReviewPrompt(ctx, shown, unturned),
      timeoutMs: policy.sessionTimeoutMs,
      ...getRoleSettings(policy, 'review', agent.provider),
    },
    event => ports.reporter.agent(task.id, event),
  );
}

const SCHEMA = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['approve', 'reject'] },
    findings: { type: 'array', items: { type: 'string' } },
  },
  required: ['verdict', 'findings'],
  additionalProperties: false,
} as const;

interface Answer {
  readonly verdict: 'approve' | 'reject';
  readonly findings: readonly string[];
}

/** The adapter has held it to the schema; an answer from anywhere else is looked at again all the same. */
function getAnswer(structured: unknown): Answer | null {
  if (typeof structured !== 'object' || structured === null) return null;
  const { verdict, findings } = structured as Partial<Record<keyof Answer, unknown>>;
  if (verdict !== 'approve' && verdict !== 'reject') return null;
  if (!Array.isArray(findings) || !findings.every(finding => typeof finding === 'string')) return null;
  return { verdict, findings };
}

const MAX_CHARS = 60_000;
const FENCE = '````';

interface Shown {
  readonly path: string;
  readonly text: string;
}

/** What has to be asked as well where nothing turned from red to green. */
const QUESTION: Readonly<Record<Unturned, string>> = {
  tests: `Only tests were written: they pass on the code as it was before. Approve only if the task asks for tests, and
the steps are tested by them. Reject if any step asks for something that the code does not do yet.`,
  unchanged: `No test turned from red to green: the task's test passed before the change and passes after it. Approve
only if the task asks for no new behaviour (a refactoring, formatting, a clean-up), and the files below do what it asks.
Reject if any step asks for something that was not there before, or if the change is about something else.`,
};

/** What is asked where the files are a design: nobody but a reader can say whether it is one. */
const DESIGN = `The files below are a design, not a test. Approve only if they answer every item under "Done means" so that
somebody could build from them without asking. Reject if an item is missing, if two statements contradict each other, or
if something in it cannot be built as it stands. Quote the words that each problem is about.`;

function getReviewPrompt(
  { task, policy, changes }: CheckContext,
  shown: readonly Shown[],
  unturned: Unturned | null,
): string {
  const steps = task.verificationSteps.map(step => `- ${step}`).join('\n');
  const command = task.validation === null ? '' : `\nIt is judged by: ${task.validation.command}\n`;
  const files = shown.map(({ path, text }) => `${path}:\n${FENCE}\n${text.slice(0, MAX_CHARS)}\n${FENCE}`);
  const list = changes.map(({ path, kind }) => `- ${path}: ${kind}`).join('\n');
  const asked = getBasis(task) === 'review' ? DESIGN : unturned === null ? null : QUESTION[unturned];
  const question = asked === null ? '' : `\n${asked}\n\nChanged:\n${list}\n`;
  const brief = `**Task ${task.id}:** ${task.title}

Done means:
${steps || '- what the title says'}
${command}${question}
${files.join('\n\n')}`;
  return getPrompt(policy, 'review', brief);
}
