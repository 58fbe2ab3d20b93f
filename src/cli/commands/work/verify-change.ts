import { rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { GitWorkspace } from '../../../adapters/git/workspace.ts';
import { tryProject } from '../../../app/doctor/try-project.ts';
import { createProject } from '../../../app/plan/open-planning.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProofPorts } from '../../../app/project/open-ports.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { createRepoReader } from '../../../app/project/repo-reader.ts';
import { makeScratch, type Scratch } from '../../../app/project/scratch-repo.ts';
import { type ChangeAnswer, getChangeAnswer } from '../../../app/prove/change-answer.ts';
import { takeVerifySlot } from '../../../app/prove/verify-slot.ts';
import { type JudgedChange, judgeChange } from '../../../checks/run/judge-change.ts';
import { detectAround } from '../../../config/detect/folder.ts';
import { findConfigFile } from '../../../config/find-config.ts';
import { TEST_GLOBS } from '../../../config/protected-globs.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import { UNLISTED_TASK } from '../../../core/model/task.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import { createProof, getProofRecord, NOT_REPEATABLE } from '../../../core/proof/proof.ts';
import type { Proof } from '../../../core/proof/proof-schema.ts';
import type { Ports } from '../../../ports/index.ts';
import { getProofHtml } from '../../render/proof-html.ts';
import { type CliReporter, createReporter } from '../../render/reporter.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { listenForSignals } from '../../terminal/signals.ts';
import { createStyle } from '../../terminal/style.ts';

export interface VerifyChangeOptions extends CommonOptions {
  readonly base: string;
  readonly head?: string;
  readonly html?: string;
  readonly mayChange?: readonly string[];
}

/** `harness verify --base`: judges whatever was changed, by whomever, in any repository, and leaves nothing there. */
export async function verifyChange(io: Io, options: VerifyChangeOptions): Promise<void> {
  const where = getWhere(io, options.repo);
  const scratch = await makeScratch(where.cwd, options);
  let running = (): string | null => null;
  const stop = listenForSignals(() => running(), 'nothing is kept: verify again');
  try {
    const { project, source } = await openScratch(io, scratch, stop.signal);
    const reporter = createReporter(io, options.json ?? false);
    running = reporter.running;
    const { judged, proof } = await judgeScratch(reporter, project, scratch, options, stop.signal);
    const answer = getChangeAnswer(judged, { source, what: scratch.what, base: scratch.base, project });
    tell(io, answer, proof, options);
  } finally {
    stop.dispose();
    scratch.dispose();
  }
}

/** The settings of the base where it has some; else what `init` would write, tried there first. */
async function openScratch(
  io: Io,
  { dir }: Scratch,
  signal: AbortSignal,
): Promise<{ readonly project: Project; readonly source: string }> {
  const where = { cwd: dir, env: io.env };
  const file = findConfigFile(dir);
  if (file !== null) return { project: await openProject(where), source: file };
  const found = await detectAround(dir, '', createRepoReader(dir));
  const open = (one: typeof found) => createProject(where, one, {});
  const { detected } = await withTrialWatcher(io, ({ watcher }) =>
    tryProject(found, open, { watcher, signal }),
  );
  if (detected.full === null)
    throw new HarnessError('environment', 'no command was found that runs the tests of this project', {
      field: 'testing.full',
      fix: 'harness init, set testing.full in .harness.yaml, commit it on the base, then verify again',
    });
  return { project: await createProject(where, detected, {}), source: 'found out' };
}

async function judgeScratch(
  reporter: CliReporter,
  project: Project,
  { base, tree, subject }: Scratch,
  options: VerifyChangeOptions,
  signal: AbortSignal,
): Promise<{ readonly judged: JudgedChange; readonly proof: Proof }> {
  const ports = await openProofPorts(project, { reporter });
  const { home } = ports.workspace as GitWorkspace;
  const place = takeVerifySlot(home);
  const startedMs = ports.clock.monotonicMs();
  try {
    const { tree: baseTree } = await ports.workspace.tip();
    if (tree === baseTree)
      throw new HarnessError('usage', 'nothing differs from the base', {
        field: '--base',
        fix: 'name what the work began from: harness verify --base main',
      });
    const atMs = ports.clock.nowMs();
    const judged = await judgeChange({
      ...{ ports, policy: project.policy, signal, slot: place.slot, tree, atMs },
      base: { commit: base, tree: baseTree },
      task: { ...UNLISTED_TASK, id: 'change', title: subject, mayChange: options.mayChange ?? [] },
      testGlobs: TEST_GLOBS,
      without: new Set(NOT_REPEATABLE),
    });
    const durationMs = Math.round(ports.clock.monotonicMs() - startedMs);
    return { judged, proof: makeProof(ports, judged, { atMs, durationMs }) };
  } finally {
    reporter.close();
    place.release();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeProof(
  { notary, containment }: Ports,
  { checks, runs, statement, candidate }: JudgedChange,
  when: { readonly atMs: number; readonly durationMs: number },
): Proof {
  const facts = { checks, runs, candidate, tools: notary.tools, sandbox: containment ?? null };
  const record = getProofRecord(
    { ...facts, ...when, attempt: 1, sessions: 0, usage: NO_USAGE },
    notary.sha256,
  );
  return createProof(statement, record, notary.sha256);
}

function tell(io: Io, answer: ChangeAnswer, proof: Proof, options: VerifyChangeOptions): void {
  const { passed, headline, lines, ...rest } = answer;
  io.exit(passed ? 0 : EXIT_CODES.unproven);
  if (options.html !== undefined) {
    const path = resolve(io.cwd, options.html);
    writeFileSync(path, getProofHtml({ proof, landed: null, problems: passed ? [] : [headline] }));
    io.err(`Written to ${relative(io.cwd, path)}`);
  }
  if (options.json) {
    io.out(JSON.stringify({ passed, headline, ...rest, proof }));
    return;
  }
  const style = createStyle(io.colourOut);
  io.out((passed ? style.good : style.bad)(headline));
  for (const line of lines) io.out(line);
}
