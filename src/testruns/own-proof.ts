import { canScan, getImportGraph, getImports } from '../core/code/imports.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { type Baseline, isLeftOut, type TestRun } from '../core/model/testing.ts';
import { isInSuite } from '../core/state/regression.ts';
import { getFeatureCommand } from '../core/testing/test-command.ts';
import type { HeldOutFile, Ports } from '../ports/index.ts';
import type { WantedRun } from './run-cache.ts';
import type { RunRequest, TestRuns } from './test-runs.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
}

/** One thing that proves a task and can be run by itself. */
export interface OwnProof {
  readonly task: string;
  readonly kind: 'test' | 'validation' | 'held-out';
  /** The test file, or the command. */
  readonly name: string;
  readonly inputs: Omit<WantedRun, 'tree'>;
  readonly layFiles?: RunRequest['layFiles'];
  /** Of a held-out file. */
  readonly sha256?: string | undefined;
}

/** Its test file, its validation and its held-out tests, as far as they can be run alone. */
export async function readOwnProof(ctx: Context, task: TaskDef): Promise<readonly OwnProof[]> {
  const { testFile, validation } = task;
  const test = testFile === null ? null : getFileInputs(ctx.policy, testFile);
  return [
    ...(test && testFile !== null
      ? [{ task: task.id, kind: 'test', name: testFile, inputs: test } as const]
      : []),
    ...(validation ? [getValidation(task.id, validation)] : []),
    ...(await readHeldOut(ctx, task.id)),
  ];
}

/** The task's validation command, for people under its own name. */
export function getValidation(
  task: string,
  { command, timeoutSeconds }: NonNullable<TaskDef['validation']>,
): OwnProof {
  const name = `validation: ${command}`;
  const how = { runner: 'command', timeoutMs: timeoutSeconds * 1_000 } as const;
  return { task, kind: 'validation', name, inputs: { command, idWithoutReport: name, ...how } };
}

/** Tests that no agent sees, one run for each file; what is laid beside the tree names them in the cache. */
export async function readHeldOut({ ports, policy }: Context, task: string): Promise<readonly OwnProof[]> {
  const { heldOut: kept, hasher } = ports;
  const files = (await kept?.list(task)) ?? [];
  if (!kept || files.length === 0) return [];
  const beside = hasher.sha256(JSON.stringify(files.map(({ path, sha256 }) => [path, sha256])));
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  return getTests(files).flatMap(name => {
    const inputs = getFileInputs(policy, name);
    if (inputs === null) return [];
    const layFiles = (dir: string) => kept.layFiles(task, dir);
    const sha256 = hashes.get(name);
    return [{ task, kind: 'held-out', name, inputs: { ...inputs, beside }, layFiles, sha256 } as const];
  });
}

/** Those that none of the others uses: the rest is there to help them. */
function getTests(files: readonly HeldOutFile[]): readonly string[] {
  const paths = files.map(({ path }) => path);
  const code = files.filter(({ path }) => canScan(path));
  const imports = new Map(code.map(({ path, text }) => [path, getImports(path, text)]));
  const used = new Set([...getImportGraph(imports, new Set(paths)).uses.values()].flat());
  const tests = paths.filter(path => !used.has(path));
  return tests.length > 0 ? tests : paths;
}

function getFileInputs({ testing }: Policy, file: string): OwnProof['inputs'] | null {
  const command = getFeatureCommand(testing, file);
  return command === null ? null : { command, idWithoutReport: file };
}

/** Runs it on a tree. What is held out stays out of the record, which travels. */
export function runOwnProof(
  tests: TestRuns,
  { kind, inputs, layFiles }: OwnProof,
  where: Pick<RunRequest, 'purpose' | 'side' | 'tree' | 'repeat'>,
): Promise<TestRun> {
  const laid = layFiles ? { layFiles } : {};
  return tests.run({ ...inputs, ...where, ...laid, isPrivate: kind === 'held-out', notesOpened: true });
}

/** The commands that prove a task, where all of them pass on a tree, as often as it takes to believe it; else null. */
export async function getGreenProofs(
  ctx: Context & { readonly tests: TestRuns },
  task: TaskDef,
  tree: string,
): Promise<readonly string[] | null> {
  const parts = await readOwnProof(ctx, task);
  for (const repeat of ctx.policy.reruns > 0 ? [0, 1] : [0])
    for (const part of parts) {
      const where = { side: 'base', tree, purpose: 'own tests, base', repeat } as const;
      if (!isAllGreen(await runOwnProof(ctx.tests, part, where))) return null;
    }
  const shown = parts.filter(({ kind }) => kind !== 'held-out').map(({ inputs }) => inputs.command);
  return shown.length > 0 ? shown : null;
}

/** The suite was seen running it, or is all that could run it. */
export function isCovered(
  { testing }: Policy,
  baseline: Baseline,
  { kind, name, inputs }: OwnProof,
): boolean {
  if (kind === 'held-out') return false;
  return inputs.command === testing.full || (kind === 'test' && isInSuite(name, baseline));
}

/** Everything ran to its end, and every test passed that was not left out. */
export function isAllGreen({ timedOut, reportProblem, results }: TestRun): boolean {
  const ran = results.filter(result => !isLeftOut(result));
  return !timedOut && !reportProblem && ran.length > 0 && ran.every(({ outcome }) => outcome === 'passed');
}
