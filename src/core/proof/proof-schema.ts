import * as z from 'zod';
import { CHECK_NAMES } from '../model/check.ts';
import { SEVERITIES } from '../model/finding.ts';
import { PROOF_BASES } from '../model/task.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const gitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const OUTCOMES = ['passed', 'failed', 'skipped', 'todo', 'error', 'flaky'] as const;
const outcome = z.enum(OUTCOMES);
const check = z.enum(CHECK_NAMES);
const status = z.enum(['passed', 'failed', 'warned', 'skipped', 'needs-human', 'inconclusive']);
const blobs = z.record(z.string(), gitId);
const count = z.int().nonnegative();

const byOutcome = z
  .partialRecord(outcome, z.array(z.string()))
  .describe('Ids of tests by what became of them; flaky: runs on the same bytes disagreed.');

/** What was proven, in words that come out the same whenever and wherever it is proven again. */
const statementSchema = z
  .strictObject({
    schema_version: z.literal(1),
    task: z.strictObject({
      id: z.string(),
      definition: sha256.describe(
        'Of the canonical JSON of what decides it: title, tests, steps, permissions.',
      ),
    }),
    base: z.strictObject({ commit: gitId, tree: gitId }).describe('The parent of the landed commit.'),
    candidate: z.strictObject({ tree: gitId }).describe('The tree of the landed commit.'),
    config: z
      .strictObject({ path: z.string(), sha256 })
      .nullable()
      .describe('The settings it was judged by.'),
    runner: z.string().describe('How the tests report.'),
    basis: z
      .enum(PROOF_BASES)
      .optional()
      .describe(
        "What it rests on: tests, a review of what was written, or a person's word; tests or a person where it is missing.",
      ),
    commands: z.strictObject({
      install: z.string().nullable(),
      own: z.array(z.string()).describe("The task's own tests and its validation command."),
      suite: z.string().nullable(),
      lint: z.string().nullable(),
    }),
    tests: z.strictObject({
      own: z.strictObject({ before: byOutcome, after: byOutcome }),
      suite: z.strictObject({
        before: byOutcome,
        changes: z
          .array(z.strictObject({ id: z.string(), before: outcome.nullable(), after: outcome.nullable() }))
          .describe(
            'Tests that came out otherwise with the change; all others are as before. null: not there.',
          ),
      }),
      e2e: z
        .strictObject({ before: byOutcome, after: byOutcome })
        .optional()
        .describe('The end-to-end tests; `before` is empty where the base was not asked.'),
    }),
    files: z
      .strictObject({ tests: blobs, protected: blobs, lockfiles: blobs })
      .describe("Path to git's id of the content, in the candidate's tree."),
    checks: z.array(z.strictObject({ check, status })).describe('Those that anybody can carry out again.'),
    verdict: z.strictObject({
      word: z.enum(['proven', 'rejected', 'needs-human', 'inconclusive']),
      decided_by: check.nullable(),
      reason: z.string(),
    }),
  })
  .describe('Deterministic: proving the same commit again gives the same statement, and the same hash.');

/** What belongs to that one time: when, how long, on what machine, at what cost. */
const recordSchema = z
  .strictObject({
    attempt: count,
    at_ms: z.number().describe('Milliseconds since 1970.'),
    duration_ms: z.number(),
    candidate: gitId.describe('The commit that was judged; landing makes it anew with the trailers.'),
    tools: z.record(z.string(), z.string()).describe('Versions: harness, node, git, os, runner.'),
    checks: z.array(
      z.strictObject({
        check,
        status,
        summary: z.string(),
        findings: z.array(z.string()),
        commands: z.array(z.string()),
        found: z
          .array(
            z.strictObject({
              severity: z.enum(SEVERITIES),
              file: z.string().nullable(),
              line: z.number().nullable(),
              claim: z.string(),
              settled: z.string(),
              why: z.string(),
            }),
          )
          .optional()
          .describe('What a reviewer found, and what became of it.'),
        hashes: z.record(z.string(), z.string()).describe('Of files it went by that are in no tree.'),
        duration_ms: z.number(),
      }),
    ),
    runs: z.array(
      z.strictObject({
        purpose: z.string(),
        tree: gitId,
        command: z.string(),
        exit_code: z.int().nullable(),
        timed_out: z.boolean(),
        problem: z.string().nullable(),
        tests: count,
        duration_ms: z.number(),
        output_sha256: sha256.describe('Of the end of its output.'),
      }),
    ),
    observed: z
      .strictObject({
        files: z.array(z.strictObject({ path: z.string(), role: z.string(), why: z.string() })),
        unseen: z.array(z.string()).describe('Commands of which nobody could see what they opened.'),
      })
      .optional()
      .describe('Files that judged the work, by what was seen, and what each changed file was to them.'),
    unfilled: z
      .array(z.string())
      .optional()
      .describe(
        'Files behind filters and submodules that were missing while it was judged, by `accept_unfilled`.',
      ),
    sandbox: z.strictObject({ level: z.string(), reason: z.string() }).nullable(),
    usage: z.strictObject({
      sessions: count,
      input_tokens: z.number(),
      output_tokens: z.number(),
      cached_tokens: z.number(),
      cost_usd: z.number(),
    }),
    screenshots: z.array(z.strictObject({ path: z.string(), sha256 })),
    artifacts: z
      .array(z.strictObject({ path: z.string(), sha256 }))
      .optional()
      .describe('What the end-to-end tests left in `e2e.artifact_dirs`, in the state directory.'),
  })
  .describe('Of that one time: when, how long, on what machine, at what cost.');

/** A proof as it is written to disk and into git. */
export const proofSchema = z.strictObject({
  schema_version: z.literal(1),
  hash: sha256.describe('sha256 of the canonical JSON of `statement`; the trailer Harness-Proof.'),
  record_hash: sha256.describe('sha256 of the canonical JSON of `record`; the trailer Harness-Record.'),
  statement: statementSchema,
  record: recordSchema,
});

export type Statement = z.infer<typeof statementSchema>;
export type ProofRecord = z.infer<typeof recordSchema>;
export type Proof = z.infer<typeof proofSchema>;
export type TestsByOutcome = z.infer<typeof byOutcome>;
export type ProvenOutcome = (typeof OUTCOMES)[number];

/** The schema published for whoever wants to read proofs. */
export function getProofJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(proofSchema);
  return { $schema, title: 'Harness proof', description: 'How a verdict came about.', ...schema };
}
