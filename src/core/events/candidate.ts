import { getCount, getFirstLine, getShortCommit } from '../base/text.ts';
import { type CheckResult, getWarnings, getWarningText, type Verdict } from '../model/check.ts';
import type { AttemptRef, Candidate, Leftover, ProofRef, Rejection } from '../model/facts.ts';
import { NO_USAGE } from '../model/usage.ts';
import { isEnvironmentFault } from '../model/verdict.ts';
import { getWorkTree, type Reviews } from '../state/attempt.ts';
import { spend } from '../state/costs.ts';
import type { EventTable } from './kind.ts';
import { getJudgedLine, getLeftoverLine } from './recovery-lines.ts';

/** What a session left on disk, and what the checks say of it. */
export type CandidateEvent =
  | (AttemptRef &
      Candidate & {
        readonly type: 'candidate.taken';
        /** Only after a session that died with the harness. */
        readonly left?: Leftover;
      })
  | (AttemptRef & {
      readonly type: 'candidate.rebased';
      readonly commit: string;
      readonly tree: string;
      readonly base: string;
      readonly baseTree: string;
      /** The base is the same as before: its proof is not here, and it is judged once more. */
      readonly again?: true;
    })
  | (Judged & { readonly type: 'verdict.given'; readonly proof: ProofRef })
  /** What became of a test that an author wrote, before anybody works by it. */
  | (Judged & { readonly type: 'test.judged' })
  /** The test is good: kept under a ref, given to every coder, protected byte for byte, landed with the work. */
  | (AttemptRef & {
      readonly type: 'test.authored';
      readonly commit: string;
      /** Git's id of each file, by path. */
      readonly files: Readonly<Record<string, string>>;
    })
  /** The verdict said no, and the same agent is told why while it still has its files. */
  | (AttemptRef & {
      readonly type: 'attempt.sent-back';
      /** 1 for the first time. */
      readonly round: number;
      readonly reason: string;
      readonly findings: readonly string[];
    });

type Judged = AttemptRef & {
  readonly verdict: Verdict;
  readonly checks: readonly CheckResult[];
  readonly base: string;
  readonly tree: string;
};

export const CANDIDATE_EVENTS: EventTable<CandidateEvent> = {
  'candidate.taken': {
    level: 'routine',
    progress: ({ task, lines, commit, left }) => [
      ...(left ? [getLeftoverLine(task, left, Object.keys(lines).length)] : []),
      `CHECKPOINT [${task}] ${Object.keys(lines).length} files changed (commit ${getShortCommit(commit)})`,
    ],
    advance({ attempt }, event) {
      attempt.stage = 'candidate';
      attempt.candidate = event;
      attempt.left = event.left ?? null;
      attempt.shownTree = event.tree;
    },
  },
  'candidate.rebased': {
    level: 'routine',
    line: ({ task, base, again }) =>
      `  task ${task}: ${again ? 'its proof is not on this host' : 'the base moved'}, proving again on ${base.slice(0, 10)}`,
    advance({ attempt }, { commit, tree, base, baseTree }) {
      attempt.stage = 'candidate';
      attempt.base = base;
      attempt.baseTree = baseTree;
      attempt.judged = null;
      if (attempt.candidate) attempt.candidate = { ...attempt.candidate, commit, tree };
    },
  },
  'verdict.given': {
    level: ({ verdict }) => (verdict.word === 'proven' ? 'important' : 'critical'),
    line: getVerdictLine,
    progress: ({ task, verdict }, state) => [
      ...(state.active.get(task)?.left ? [getJudgedLine(task, verdict)] : []),
      ...(verdict.word === 'proven' ? [`CHECKPOINT [${task}] proven: ${verdict.reason}`] : []),
    ],
    decision({ verdict, checks, proof }) {
      return {
        type: 'verdict',
        verdict: verdict.word,
        decided_by: verdict.decidedBy,
        reason: verdict.reason,
        findings: verdict.findings,
        checks: checks.map(({ check, status, summary }) => ({ check, status, summary })),
        proof: proof.path,
      };
    },
    advance({ state, task, attempt, atMs }, event) {
      const { verdict, checks, base, tree, proof } = event;
      attempt.stage = 'judged';
      attempt.judged = { verdict, checks, tree, base, atMs, proof };
      if (isEnvironmentFault({ verdict, checks })) {
        const reason = `${verdict.decidedBy}: ${verdict.reason}`;
        state.trouble.broken = { task: event.task, attempt: event.attempt, reason };
      }
      for (const { usage } of checks)
        if (usage) spend(state.costs, { role: 'review', usage, task, sessions: 1 });
      attempt.rejections = [...attempt.rejections, ...getRejections(event)];
      attempt.reviews = getReviews(attempt.reviews, event);
    },
  },
  'test.judged': {
    level: 'routine',
    line: ({ task, verdict }) =>
      verdict.word === 'proven' ? null : `  task ${task}: its test was not accepted (${verdict.reason})`,
    advance({ attempt, atMs }, { verdict, checks, base, tree }) {
      attempt.stage = 'judged';
      attempt.judged = { verdict, checks, tree, base, atMs, proof: null };
    },
  },
  'test.authored': {
    level: 'important',
    line: ({ task, files }) => `  task ${task}: its test is written (${Object.keys(files).join(', ')})`,
    advance({ task }, { commit, files, attempt }) {
      task.authored = { commit, files, attempt };
    },
  },
  'attempt.sent-back': {
    level: 'important',
    line: ({ task, findings, round }) =>
      `  task ${task}: sent back to the agent with ${getCount(findings.length, 'finding')} (round ${round})`,
    progress: ({ task, round, reason }) => [
      `WARN [${task}] sent back to the agent (round ${round}): ${reason}`,
    ],
    /** The attempt stands where it stood before its session, and knows what was wrong with the last one. */
    advance({ task, attempt }, { task: id, reason, findings, round }) {
      if (attempt.stage !== 'judged' || attempt.judged?.verdict.word !== 'rejected')
        throw new Error(`task ${id} was sent back without having been rejected`);
      attempt.feedback = { reason, findings, tree: getWorkTree(attempt) };
      attempt.stage = 'ready';
      attempt.round = round;
      if (attempt.reviews && attempt.judged.verdict.decidedBy === 'review')
        attempt.reviews = { ...attempt.reviews, sentBack: attempt.reviews.sentBack + 1 };
      attempt.agent.outcome = null;
      attempt.agent.spent = NO_USAGE;
      attempt.judged = null;
      task.rounds++;
    },
  },
};

/** A review that somebody made is a pass; one that nobody was asked for is none. */
function getReviews(before: Reviews | null, { checks, tree }: Judged): Reviews | null {
  const found = checks.find(({ check }) => check === 'review')?.found;
  if (found === undefined) return before;
  return { passes: (before?.passes ?? 0) + 1, sentBack: before?.sentBack ?? 0, tree, found };
}

function getVerdictLine({ task, verdict, checks }: Judged): string {
  const { word: outcome, decidedBy, reason, findings } = verdict;
  const warnings = outcome === 'proven' ? getWarnings(checks) : [];
  const warned = warnings.length > 0 ? `, ${getWarningText(warnings)}` : '';
  const shown = outcome === 'proven' ? [] : findings.slice(0, 3);
  return [
    `  task ${task}: ${outcome} (${decidedBy ?? 'all checks'}: ${reason})${warned}`,
    ...shown.map(finding => `      ${getFirstLine(finding)}`),
  ].join('\n');
}

function getRejections({ attempt, verdict, checks }: Judged): readonly Rejection[] {
  const { word: outcome, decidedBy } = verdict;
  const failing = checks.find(({ check }) => check === decidedBy)?.failing ?? [];
  if (outcome !== 'rejected' || failing.length === 0) return [];
  return [{ attempt, kind: decidedBy === 'fail-to-pass' ? 'own' : 'older', failing }];
}
