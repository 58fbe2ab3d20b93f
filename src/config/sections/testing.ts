import * as z from 'zod';
import { DEFAULT_GATES, type Gate } from '../../core/model/gates.ts';
import type { Policy } from '../../core/model/policy.ts';
import { RUNNER_KINDS } from '../../core/model/testing.ts';
import { count, optionalCommand, optionalPath, projectPath, seconds, texts, toMs } from './fields.ts';

const sanity = z
  .strictObject({
    health: optionalCommand().describe('Quick sign of life; used when `environment.health_check` is absent.'),
    lint: optionalCommand().describe('Quick lint; used when `quality.lint_command` is absent.'),
    type_check: optionalCommand().describe('Type check whose result must not get worse.'),
    build: optionalCommand().describe(
      'Builds the project; it has to pass as it did before, and to leave built files that are in git as they are.',
    ),
  })
  .prefault({})
  .describe('Fast checks that something basic has not broken.');

/** How tests are run and their results read. */
export const testing = z
  .strictObject({
    runner: z
      .enum(RUNNER_KINDS)
      .nullable()
      .default(null)
      .describe(
        'How results are read: a known runner, a TAP or JUnit report, or only the exit code (`command`); recognised from `testing.full` when absent.',
      ),
    full: optionalCommand().describe('Runs every test; without it only the tasks’ own validations count.'),
    feature: z
      .string()
      .trim()
      .regex(/\{file\}/, { error: 'must contain {file}, where the path of the test file goes' })
      .nullable()
      .default(null)
      .describe(
        'Runs one test file, whose path replaces `{file}`; worked out from `testing.full` when absent.',
      ),
    env: texts()
      .default([])
      .describe('Names of environment variables that tests see besides those of `environment.env`.'),
    report: optionalPath().describe(
      'Report that the command writes itself, as JUnit XML or TAP; or a folder of JUnit files.',
    ),
    timeout_seconds: seconds().default(600).describe('Longest time a test command may take.'),
    reruns: z
      .int()
      .min(0)
      .max(10)
      .default(2)
      .describe(
        'How often a test that disagrees with an earlier run is run again before it counts as broken or flaky; 0 believes the first run.',
      ),
    sanity,
    unit: optionalCommand().describe(
      'Runs the unit tests alone; agents are told, and with `e2e` it is the suite where `testing.full` is absent.',
    ),
    e2e: optionalCommand().describe('Runs the end-to-end tests alone; the same holds.'),
  })
  .prefault({})
  .describe('Commands that decide whether work is done and nothing else broke.');

/** The end-to-end suite of its own. */
export const e2e = z
  .strictObject({
    command: optionalCommand().describe(
      'End-to-end suite that work must not make worse, run before a review: with the change, and on the base. Not run where it is not set.',
    ),
    artifact_dirs: z
      .array(projectPath())
      .default([])
      .describe(
        'Folders that it writes reports and screenshots to: empty when it begins, kept with the session afterwards.',
      ),
  })
  .prefault({})
  .describe(
    'End-to-end tests against the running application (`dev_server`, where it is set), before a review.',
  );

/** Lint and size. */
export const quality = z
  .strictObject({
    lint_command: optionalCommand().describe('Linter whose result must not get worse.'),
    max_file_lines: count().default(500).describe('Length from which a file is reported as too long.'),
    cleanup_interval: count(0)
      .default(10)
      .describe('Landed tasks between two clean-up sessions; with 0 there are none.'),
    warn_on_lint_errors: z
      .boolean()
      .default(true)
      .describe('Whether new lint errors are reported; with false the linter runs only if it blocks.'),
    lint_blocks: z.boolean().default(false).describe('Whether new lint errors reject the work.'),
    type_check_blocks: z
      .boolean()
      .default(true)
      .describe('Whether new errors of `testing.sanity.type_check` reject the work or are only reported.'),
    size_blocks: z
      .boolean()
      .default(false)
      .describe('Whether a file that grows beyond `max_file_lines` rejects the work or is only reported.'),
  })
  .prefault({})
  .describe('Code quality besides tests.');

const action = (gate: Gate, what: string) =>
  z.enum(['reject', 'ask', 'warn', 'off']).default(DEFAULT_GATES[gate]).describe(what);

const gates = z
  .strictObject({
    secrets: action('secrets', 'Added lines that hold a key, a token or a password.'),
    hidden_text: action('hidden_text', 'Added lines that read in another order than they run, or hide text.'),
    conflict_markers: action('conflict_markers', 'A merge left half done.'),
    colliding_paths: action(
      'colliding_paths',
      'New paths that differ from others only in capitals or accents.',
    ),
    program_bits: action(
      'program_bits',
      'Files made programs without `#!`, and programs that can no longer be started.',
    ),
    leftovers: action(
      'leftovers',
      'What tools leave behind, compiled programs, and files that are new or grown and large.',
    ),
    steering: action(
      'steering',
      'Changes to what agents take instructions, tools or hooks from, and to what that pulls in.',
    ),
    syntax: action('syntax', 'Changed files that no longer parse.'),
    imports: action('imports', 'Imports of files or names that are not there.'),
    dependencies: action('dependencies', 'New imports of packages that no manifest names.'),
    entries: action(
      'entries',
      'Targets of `exports`, `main`, `bin` and the like that are gone or no longer load.',
    ),
    exports: action('exports', 'Names that those targets no longer export.'),
    mentions: action('mentions', 'Deleted files that lists and settings still name.'),
    build: action(
      'build',
      'A build that fails or leaves other files than are in git, unlike that of the base.',
    ),
    untested: action('untested', 'Changed code that no test uses.'),
  })
  .prefault({})
  .describe(
    'What follows when a change holds what no test looks for, and the base did not: reject it, ask a person, only warn, or do not look.',
  );

/** How strictly a claim is proven. */
export const verification = z
  .strictObject({
    require_evidence: z
      .boolean()
      .default(true)
      .describe(
        'Whether the tool calls of a session must show that the agent ran the task’s tests, with success, after its last edit (a run of the whole suite may fail where other tests failed before); agents that tell nothing of what they run are not held to it.',
      ),
    harness_verify: z
      .boolean()
      .default(true)
      .describe('Whether the harness runs the tests again itself, in a tree the agent never touched.'),
    max_features_per_session: count()
      .default(1)
      .describe('More tasks than this claimed at once are refused.'),
    feedback_rounds: z
      .int()
      .nonnegative()
      .default(2)
      .describe(
        'How often rejected work goes back to the same agent, with the findings, within one attempt.',
      ),
    review: z
      .enum(['auto', 'always', 'off'])
      .default('auto')
      .describe(
        'Whether another agent reads the task’s test against the verification steps: where the coder wrote it (`auto`), always, or never.',
      ),
    held_out: z
      .string()
      .trim()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        'Folder with tests that agents never see: `all/` and one folder per task id, each laid out like the project; `held-out` in the state directory when absent.',
      ),
    regression_check: z.boolean().default(true).describe('Whether the full suite runs before landing.'),
    regression_seconds: seconds()
      .default(60)
      .describe(
        'Longest time that the proofs of landed tasks outside of `testing.full` (test files, validations, held-out tests) may take for one candidate, the quickest first; the rest is due at the end of the run.',
      ),
    regression_interval: count()
      .default(5)
      .describe(
        'Landings for which that time was too short before everything is run in the middle of a run.',
      ),
    protected: texts()
      .default([])
      .describe('Globs of further files that no task may change unless it says so.'),
    tests: z
      .enum(['approved', 'separate-author', 'coder'])
      .default('approved')
      .describe(
        'Who owns the test file of a task: nobody may change it once it exists (`approved`), another agent writes it first from the verification steps (`separate-author`), or the coder may (`coder`).',
      ),
    test_aware: z
      .enum(['reject', 'warn', 'off'])
      .default('reject')
      .describe('What follows when product code asks whether it is under test or reaches into the runner.'),
    gates,
    mutants: z
      .int()
      .min(0)
      .max(100)
      .default(8)
      .describe(
        'Broken variants of the change on which the task’s tests must fail at least once; 0 turns it off.',
      ),
    mutation_seconds: seconds().default(60).describe('Longest time that trying mutants may take in all.'),
  })
  .prefault({})
  .describe('What it takes for a claim to count as proven.');

/** Rules for the backlog's entries. */
export const features = z
  .strictObject({
    max_verification_steps: count().default(7).describe('A task with more steps is flagged as too big.'),
    max_stuck_sessions: count().default(3).describe('Sessions without progress before a person is asked.'),
    require_test_file: z.boolean().default(true).describe('Whether every task must name its test file.'),
  })
  .prefault({})
  .describe('Rules for the entries of the backlog.');

type ProofRules = Pick<
  Policy,
  | 'maxFeaturesPerSession'
  | 'feedbackRounds'
  | 'testsBy'
  | 'testAware'
  | 'gates'
  | 'mutation'
  | 'regression'
  | 'review'
  | 'requireEvidence'
>;

/** What it takes to be proven, as the core wants it. */
export function getProofRules(proof: z.output<typeof verification>): ProofRules {
  return {
    maxFeaturesPerSession: proof.max_features_per_session,
    feedbackRounds: proof.feedback_rounds,
    testsBy: proof.tests,
    testAware: proof.test_aware,
    gates: proof.gates,
    mutation: { mutants: proof.mutants, budgetMs: toMs(proof.mutation_seconds) },
    regression: { budgetMs: toMs(proof.regression_seconds), interval: proof.regression_interval },
    review: proof.review,
    requireEvidence: proof.require_evidence,
  };
}

type QualityRules = Pick<
  Policy,
  'lintCommand' | 'lintBlocks' | 'typeCheckCommand' | 'typeCheckBlocks' | 'maxFileLines' | 'sizeBlocks'
>;

/** Lint, types and size, as the core wants them. */
export function getQualityRules(
  rules: z.output<typeof quality>,
  { sanity: fast }: z.output<typeof testing>,
): QualityRules {
  const isLinted = rules.lint_blocks || rules.warn_on_lint_errors;
  return {
    lintCommand: isLinted ? (rules.lint_command ?? fast.lint) : null,
    lintBlocks: rules.lint_blocks,
    typeCheckCommand: fast.type_check,
    typeCheckBlocks: rules.type_check_blocks,
    maxFileLines: rules.max_file_lines,
    sizeBlocks: rules.size_blocks,
  };
}

/** Rules for the entries of the backlog, as the core wants them. */
export function getEntryRules(
  rules: z.output<typeof features>,
): Pick<Policy, 'maxStuckSessions' | 'maxVerificationSteps' | 'requireTestFile'> {
  return {
    maxStuckSessions: rules.max_stuck_sessions,
    maxVerificationSteps: rules.max_verification_steps,
    requireTestFile: rules.require_test_file,
  };
}
