import type { Project } from '../../app/project/open-project.ts';
import { EXIT_CODES } from '../../core/base/failure.ts';
import type { StopReason } from '../../core/model/action.ts';
import type { RunReport } from '../../loop/loop.ts';
import type { Io } from '../terminal/io.ts';

/** What a quick look at all landings came to. */
export interface AuditedAll {
  readonly ok: boolean;
  /** People changed tests since that proved something: theirs to do, and worth knowing. */
  readonly changed: boolean;
  readonly landings: number;
}

/** The last lines of a run: what came of it, why it stopped, what to do next; and its exit code. */
export function tellRunEnd(
  io: Io,
  project: Project,
  report: RunReport,
  audited: AuditedAll | null,
  json: boolean,
): void {
  const { why, ended, questions, handedOff, reopened } = report;
  io.exit(audited?.ok === false ? EXIT_CODES.unproven : getRunExitCode(report));
  if (json) {
    const asked = questions.map(({ id }) => id);
    const audit = audited ? { audit: audited } : {};
    const open = reopened.length > 0 ? { reopened } : {};
    io.out(JSON.stringify({ stopped: why, attempts: ended, questions: asked, ...open, ...audit }));
    return;
  }
  const landed = ended.filter(end => end.outcome === 'landed').length;
  io.out(`${landed} landed, ${ended.length - landed} not, ${getStopText(report)}`);
  for (const { task, reason } of reopened) io.out(`task ${task} is open again: ${reason}`);
  if (audited?.ok) io.out(`proofs: ${audited.landings} landings hold against them`);
  if (audited?.changed) io.out('tests that proved something were changed since by people: harness audit');
  if (audited?.ok === false) io.out('proofs: not all landings hold against them: harness audit');
  for (const note of project.repo.notes) io.err(`note: ${note}`);
  if (questions.length > 0) io.out(`next: harness inbox   (${getWaitingText(questions.length)})`);
  else if (why === 'nothing-ready' && handedOff[0] !== undefined)
    io.out(`next: harness takeback ${handedOff[0]}   (when you are done with it)`);
  else io.out(`next: ${NEXT_STEP[why]}`);
}

/** Why a run stopped, in words. */
export function getStopText({ why, ended }: Pick<RunReport, 'why' | 'ended'>): string {
  return why === 'session-limit' && ended.length === 1 ? 'after one attempt, as asked' : STOPPED[why];
}

function getWaitingText(count: number): string {
  return count === 1 ? 'one question waits for you' : `${count} questions wait for you`;
}

/** Why it stopped, in words; `--json` has the code. */
const STOPPED: Readonly<Record<StopReason, string>> = {
  'all-done': 'everything is landed',
  'broken-tip': 'everything is landed, but tests fail that passed before',
  'nothing-ready': 'nothing more is ready',
  'empty-backlog': 'the backlog is empty',
  'session-limit': 'after as many attempts as asked for',
  'task-limit': 'as many tasks as asked for are landed',
  'project-sessions': 'the project has had all its sessions',
  iterations: 'too many attempts landed nothing',
  time: 'the time is over',
  stale: 'everything that is ready comes to the same end again and again',
  budget: 'the budget is used up',
  environment: 'the environment is broken',
  auth: 'the agent could not log in',
  provider: 'the agent could not be had',
  paused: 'paused',
  asked: 'stopped as asked',
};

const NEXT_STEP: Readonly<Record<StopReason, string>> = {
  'all-done':
    'harness report   (more work: harness add-feature, harness plan; watch it: harness run --maintain)',
  'broken-tip': 'harness log   (names the tests that are red), mend them, then harness run --all',
  'nothing-ready': 'harness status   (shows what waits and for what)',
  'empty-backlog': 'harness add "what should be built" --test-file <path>',
  'session-limit': 'harness run --all',
  'task-limit': 'harness run --all',
  'project-sessions': 'raise session_config.max_sessions in the config, then harness run --all',
  iterations: 'harness report   (what was rejected, and why), then harness run --all',
  time: 'harness run --all   (goes on where this run stopped)',
  stale: 'harness report   (what was rejected, and why); harness run --all puts those tasks before you',
  budget: 'raise costs.total_project_usd in the config, then harness run --all',
  auth: 'log the agent in (harness doctor says how), then harness run --all',
  provider: 'harness doctor   (says what the agent lacks), then harness run --all; nothing is lost',
  environment: 'harness doctor   (the environment is broken; nothing was launched)',
  paused: 'harness resume, then harness run --all',
  asked: 'harness run --all',
};

/** Not the end that was asked for. */
const UNFINISHED: ReadonlySet<StopReason> = new Set([
  'nothing-ready',
  'broken-tip',
  'project-sessions',
  'iterations',
  'stale',
]);

/** Zero only when what was asked for happened; a person is named before anything that is merely unproven. */
export function getRunExitCode({ why, ended, questions, handedOff, reopened }: RunReport): number {
  if (why === 'budget') return EXIT_CODES.budget;
  if (why === 'environment' || why === 'provider') return EXIT_CODES.environment;
  if (why === 'auth') return EXIT_CODES.auth;
  if (why === 'paused') return EXIT_CODES.human;
  if (why === 'all-done' || why === 'empty-backlog') return 0;
  if (ended.some(end => end.outcome === 'needs-human')) return EXIT_CODES.human;
  if (!UNFINISHED.has(why) && reopened.length === 0 && ended.every(end => end.outcome === 'landed')) return 0;
  const isWaiting = questions.length > 0 || (why === 'nothing-ready' && handedOff.length > 0);
  return isWaiting ? EXIT_CODES.human : EXIT_CODES.unproven;
}
