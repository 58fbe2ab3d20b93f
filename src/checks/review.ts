import { getPrompt } from '../core/prompt.ts';
import { getProviders, getRoleSettings } from '../core/role.ts';
import type { Agent } from '../ports.ts';
import { wroteOwnTest } from './changed-sources.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { layOut } from './test-runs.ts';

/**
 * Where the coder wrote its own test, somebody else reads it against the verification steps. The
 * reviewer can only take away: its yes proves nothing, and where it cannot be had a person decides.
 */
export const review = defineCheck('review', async ctx => {
  const { testFile } = ctx.task;
  if (testFile === null || !isWanted(ctx)) return { status: 'skipped', summary: 'no review is asked for' };
  const agent = findReviewer(ctx);
  if (!agent) return { status: 'needs-human', summary: 'there is no reviewer' };
  const { outcome, structured, usage, summary } = await ask(ctx, agent, testFile);
  const spent = { usage };
  const answer = getAnswer(structured);
  if (outcome !== 'claimed' || answer === null) {
    const why = `the reviewer gave no answer that can be used: ${summary.slice(0, 500)}`;
    return { status: 'needs-human', summary: why, findings: [`read ${testFile} yourself`], ...spent };
  }
  if (answer.verdict === 'approve')
    return { status: 'passed', summary: `${agent.provider} finds that ${testFile} tests the task`, ...spent };
  const findings = answer.findings.length > 0 ? answer.findings : [`${testFile} does not test the task`];
  return { status: 'failed', summary: `the review of ${testFile} says no`, findings, ...spent };
});

function isWanted(ctx: CheckContext): boolean {
  const { review: wanted } = ctx.policy;
  if (wanted === 'off') return false;
  return wanted === 'always' || (wroteOwnTest(ctx) && !isAuthored(ctx));
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

async function ask(ctx: CheckContext, agent: Agent, testFile: string) {
  const { ports, policy, attempt, candidate, signal, task } = ctx;
  const cwd = await layOut(ctx, { slot: attempt.slot, side: 'candidate', tree: candidate.tree, signal });
  const text = (await ports.workspace.readFile(candidate.commit, testFile)) ?? '';
  const number = attempt.number ?? 0;
  return agent.run(
    {
      ...{ task, attempt: number, session: attempt.session ?? 0, cwd, signal, schema: SCHEMA },
      role: 'review',
      turn: number + (attempt.round ?? 0),
      mode: 'complete',
      prompt: getReviewPrompt(ctx, testFile, text),
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

function getReviewPrompt({ task, policy }: CheckContext, testFile: string, text: string): string {
  const steps = task.verificationSteps.map(step => `- ${step}`).join('\n');
  const brief = `**Task ${task.id}:** ${task.title}

Done means:
${steps || '- what the title says'}

${testFile}:
\`\`\`\`
${text.slice(0, MAX_CHARS)}
\`\`\`\``;
  return getPrompt(policy, 'review', brief);
}
