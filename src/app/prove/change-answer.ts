import type { JudgedChange } from '../../checks/run/judge-change.ts';
import type { CheckResult } from '../../core/model/check.ts';
import { NOT_REPEATABLE } from '../../core/proof/proof.ts';
import type { Project } from '../project/open-project.ts';

/** What `verify --base` answers; the headline says what was asked and what was not in one breath. */
export interface ChangeAnswer {
  readonly passed: boolean;
  readonly verdict: string;
  readonly headline: string;
  readonly decidedBy: string | null;
  readonly findings: readonly string[];
  readonly notAsked: readonly { readonly check: string; readonly why: string }[];
  /** Test files that came with the change and were taken for what it should do. */
  readonly asGiven: readonly string[];
  readonly changedTests: readonly string[];
  /** Tests that are red with the change and were not without it. */
  readonly red: readonly string[];
  readonly base: string;
  readonly head: string;
  /** The file that decided, where it is one. */
  readonly testFile: string | null;
  readonly settings: {
    readonly from: string;
    readonly install: string | null;
    readonly tests: string | null;
    readonly runner: string;
    readonly lint: string | null;
  };
  readonly checks: readonly CheckResult[];
}

export function getChangeAnswer(
  judged: JudgedChange,
  of: { readonly source: string; readonly what: string; readonly base: string; readonly project: Project },
): ChangeAnswer {
  const { checks, tests, changedTests, red } = judged;
  const { verdict, reason, findings, decidedBy } = getVerdictOf(judged);
  const passed = verdict === 'proven';
  const notAsked = getNotAsked(judged);
  const given = tests.length > 0 ? `; taken as given: ${getSome(tests)}, which came with the change` : '';
  const gone =
    changedTests.length > 0 ? `; ${changedTests.length} tests of the base no longer hold as they stood` : '';
  const left = `; NOT ASKED: ${notAsked.map(({ check, why }) => `${check} (${why})`).join(', ')}`;
  const { testing, environment, lintCommand } = of.project.policy;
  const settings = {
    ...{ from: of.source, install: environment.install, tests: testing.full, runner: testing.runner },
    lint: lintCommand,
  };
  return {
    ...{
      passed,
      verdict,
      decidedBy,
      findings,
      notAsked,
      asGiven: tests,
      changedTests,
      red,
      checks,
      settings,
    },
    headline: `${verdict}: ${reason}${gone}${given}${left}`,
    base: of.base,
    head: of.what,
    testFile: judged.task.testFile,
  };
}

interface Word {
  readonly verdict: string;
  readonly reason: string;
  readonly decidedBy: string | null;
  readonly findings: readonly string[];
}

/** The checks' own verdict, unless a test is red that they did not ask, or nothing says what the change should do. */
function getVerdictOf({ verdict, checks, task, red }: JudgedChange): Word {
  const { word: outcome, reason, findings, decidedBy } = verdict;
  const isOpen = task.testFile === null && outcome === 'inconclusive' && decidedBy === 'human';
  if (red.length > 0 && (outcome === 'proven' || isOpen)) {
    const count = red.length === 1 ? 'one test is red' : `${red.length} tests are red`;
    return {
      verdict: 'rejected',
      reason: `${count} that was not red on the base: ${red[0]}`.replace(
        'that was',
        red.length === 1 ? 'that was' : 'that were',
      ),
      decidedBy: 'suite',
      findings: red.slice(0, 20),
    };
  }
  const held = checks.find(({ check }) => check === 'pass-to-pass')?.summary ?? 'the suite holds';
  if (isOpen)
    return {
      verdict: 'not proven',
      reason: `no test came with the change, so nothing says what it should do; ${held}`,
      decidedBy: 'fail-to-pass',
      findings: [],
    };
  const turned = checks.find(({ check }) => check === 'fail-to-pass')?.summary ?? '';
  if (outcome === 'proven') return { verdict: outcome, reason: `${turned}; ${held}`, decidedBy, findings };
  const by = decidedBy === null ? '' : `${decidedBy}: `;
  return { verdict: outcome, reason: `${by}${reason}`, decidedBy, findings };
}

const WHY: Readonly<Record<string, string>> = {
  evidence: 'nobody watched who did the work',
  'held-out': 'no tests are kept back',
  review: 'no reviewer read it',
  visual: 'no page was looked at',
  human: 'no person was asked',
};

/** What was left out, and what had nothing to ask with or came too late. */
function getNotAsked({ checks, verdict }: JudgedChange) {
  const skipped = checks
    .filter(({ status }) => status === 'skipped')
    .map(({ check, summary }) => ({ check, why: summary }));
  const left = NOT_REPEATABLE.map(check => ({ check, why: WHY[check] ?? 'it cannot be asked here' }));
  const isCut = verdict.word !== 'proven' && verdict.decidedBy !== null;
  const later = isCut ? [{ check: 'what comes after', why: `${verdict.decidedBy} decided` }] : [];
  return [...skipped, ...left, ...later];
}

function getSome(paths: readonly string[]): string {
  return paths.length <= 3
    ? paths.join(', ')
    : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
}
