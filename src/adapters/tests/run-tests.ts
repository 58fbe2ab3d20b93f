import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getTestFile, type TestResult, type TestRun } from '../../core/model/testing.ts';
import { getPlainText, type ParsedReport } from '../../core/reports/report.ts';
import type { ReportPlan } from '../../core/runners/runner.ts';
import { getReportCommand, parseReport } from '../../core/testing/runners.ts';
import { getFirstFolder, getUnlaunched } from '../../core/testing/test-command.ts';
import type { Shell, ShellResult, TestRequest, Tests } from '../../ports/index.ts';
import { collectFiles } from './artifact-dirs.ts';
import type { BuildCache } from './build-cache.ts';
import { prepareEndToEnd } from './end-to-end.ts';
import { findInTree } from './find-in-tree.ts';
import { type Observer, openObserver } from './observer.ts';

const MAX_TAIL_CHARS = 4_000;

interface TestOptions {
  readonly cache?: BuildCache;
  /** How this program is started again, in the box, to start an application beside the tests. */
  readonly program?: readonly string[];
}

/**
 * Runs test commands and reads their reports back. `makeReportPath` gives a fresh path outside the
 * tree that nobody can guess, so that what is read there was written by the runner of this run; the
 * folder it is in may be written by the runner.
 */
export function createTests(
  shell: Shell,
  makeReportPath: () => string,
  removeFile: (path: string) => Promise<void>,
  options: TestOptions = {},
): Tests {
  return {
    run: async request => {
      const place = await getPlace(request, makeReportPath);
      if (typeof place === 'string') return getUnstarted(request, place);
      const { plan, reportFile, isOwn } = place;
      await removeFile(reportFile).catch(() => undefined);
      if (isOwn) await mkdir(dirname(reportFile), { recursive: true, mode: 0o700 });
      else await clearReports(reportFile);
      if (plan.reporter) await writeFile(plan.reporter.path, plan.reporter.text);
      try {
        return await runPlanned(shell, request, place, options);
      } finally {
        await removeFile(reportFile).catch(() => undefined);
      }
    },
  };
}

async function runPlanned(
  shell: Shell,
  request: TestRequest,
  { plan, reportFile, isOwn }: Place,
  { cache, program = [] }: TestOptions,
): ReturnType<Tests['run']> {
  const { dir, endToEnd, signal } = request;
  const observer = await openObserverFor(request, reportFile);
  if (request.keepsCompiled) await cache?.fill(request);
  const lent = isOwn ? await cache?.lend(request, dirname(reportFile)) : {};
  const served = endToEnd && (await prepareEndToEnd(request, endToEnd, { reportFile, plan }, program));
  const result = await shell.run({
    command: served?.command ?? plan.command,
    cwd: dir,
    env: { CI: 'true', ...lent, ...observer?.env, ...(served?.env ?? plan.env) },
    surroundings: request.surroundings ?? {},
    timeoutMs: served?.timeoutMs ?? request.timeoutMs,
    ...(isOwn ? { writable: [dirname(reportFile)] } : {}),
    ...(signal ? { signal } : {}),
  });
  const produced = endToEnd && (await collectFiles(dir, endToEnd.artifactDirs));
  const unserved = (await served?.readFault()) ?? null;
  const report = plan.from === 'exit-code' || unserved ? null : await readReport(reportFile);
  const readings = await observer?.read();
  const run = unserved
    ? { ...getUnstarted(request, unserved.why), unserved }
    : await getRun(request, plan, result, report);
  return { ...run, ...(readings ? { readings } : {}), ...(produced ? { produced } : {}) };
}

/** Its notes lie beside the report, in a folder of this run alone. */
async function openObserverFor({ observe, dir }: TestRequest, reportFile: string): Promise<Observer | null> {
  return observe ? openObserver(join(dirname(reportFile), 'observer'), await realpath(dir), observe) : null;
}

interface Place {
  readonly plan: ReportPlan;
  readonly reportFile: string;
  /** In a folder of ours, made for this run. */
  readonly isOwn: boolean;
}

/** Where the report will be; a sentence when it cannot be anywhere. */
async function getPlace(request: TestRequest, makeReportPath: () => string): Promise<Place | string> {
  const { runner, reportPath, dir } = request;
  const command = getUnlaunched(request.command, path => existsSync(join(dir, path)));
  if (reportPath === null || (runner !== 'junit' && runner !== 'tap')) {
    const reportFile = makeReportPath();
    return { plan: getReportCommand(runner, command, reportFile), reportFile, isOwn: true };
  }
  const reportFile = await findInTree(dir, reportPath);
  if (reportFile === null) return `the report path ${reportPath} leads out of the tree`;
  return { plan: { command, env: {}, from: 'file' }, reportFile, isOwn: false };
}

async function readReport(path: string): Promise<string | null> {
  if (!(await isRegularFile(path))) return readReports(path);
  return readFile(path, 'utf8').catch(() => null);
}

async function getRun(
  request: TestRequest,
  plan: ReportPlan,
  result: ShellResult,
  report: string | null,
): Promise<TestRun> {
  const output = plan.from === 'stdout' && report !== null ? `${report}\n${result.output}` : result.output;
  const run = {
    command: request.command,
    exitCode: result.exitCode,
    timedOut: result.timedOut,
    outputTail: getTail(output),
    ...(output.length > MAX_TAIL_CHARS ? { isTailCut: true } : {}),
    durationMs: result.durationMs,
  };
  const { results, problem } = await getResults(request, run, report);
  return { ...run, results, ...(problem === undefined ? {} : { reportProblem: problem }) };
}

type Ended = Omit<TestRun, 'results'>;

async function getResults(request: TestRequest, run: Ended, report: string | null): Promise<ParsedReport> {
  if (run.timedOut) return getProblem(`the tests ran out of time after ${request.timeoutMs / 1_000} s`);
  if (request.runner === 'command')
    return isUnstarted(run)
      ? getProblem(`the command could not be started (exit ${run.exitCode})`)
      : { results: [getOnlyResult(request, run)] };
  if (report === null)
    return getProblem(`the command left no report (exit ${run.exitCode})${getHint(request)}`);
  if (report.trim() === '') return getProblem(`the report is empty (exit ${run.exitCode})`);
  const parsed = parseReport(request.runner, report, await getTrees(request.dir));
  if (parsed.problem !== undefined) return getProblem(parsed.problem);
  if (parsed.results.length === 0) return getProblem('no tests were collected');
  return { results: getHonest(getFromRoot(request, parsed.results), run) };
}

/** Ids as the root of the tree sees them, where a command goes to a folder first and its runner tells paths from there. */
function getFromRoot({ command, dir }: TestRequest, results: readonly TestResult[]): readonly TestResult[] {
  const folder = getFirstFolder(command);
  if (folder === null) return results;
  const isInside = (file: string) => !existsSync(join(dir, file)) && existsSync(join(dir, folder, file));
  const inside = new Map([...new Set(results.map(({ id }) => getTestFile(id)))].map(f => [f, isInside(f)]));
  return results.map(each =>
    inside.get(getTestFile(each.id)) ? { ...each, id: `${folder}/${each.id}` } : each,
  );
}

/** What a shell says of a program that is not there, or is none: no test has said a word. */
function isUnstarted({ exitCode }: Ended): boolean {
  return exitCode === 126 || exitCode === 127;
}

function getProblem(problem: string): ParsedReport {
  return { results: [], problem };
}

/** A runner that ends badly after a spotless report has crashed: that is not green. */
function getHonest(results: readonly TestResult[], run: Ended): readonly TestResult[] {
  const hasFailure = results.some(({ outcome }) => outcome === 'failed' || outcome === 'error');
  if (run.exitCode === 0 || hasFailure) return results;
  const message = `the runner ended with exit code ${run.exitCode} although no test failed\n${run.outputTail}`;
  return [...results, { id: '(runner)', outcome: 'error', message }];
}

function getOnlyResult(request: TestRequest, run: Ended): TestResult {
  const { durationMs } = run;
  if (run.exitCode === 0) return { id: request.idWithoutReport, outcome: 'passed', durationMs };
  const message = `exit code ${run.exitCode}\n${run.outputTail}`;
  return { id: request.idWithoutReport, outcome: 'failed', message, durationMs };
}

function getHint({ runner, reportPath }: TestRequest): string {
  if (runner === 'junit' && reportPath === null) return ': name its place, or put {report} into the command';
  if (reportPath !== null && (runner === 'junit' || runner === 'tap')) return ` at ${reportPath}`;
  return '';
}

function getUnstarted(request: TestRequest, reportProblem: string): TestRun {
  const { command } = request;
  return {
    command,
    exitCode: null,
    timedOut: false,
    results: [],
    reportProblem,
    outputTail: '',
    durationMs: 0,
  };
}

async function getTrees(dir: string): Promise<readonly string[]> {
  return [dir, await realpath(dir).catch(() => dir)];
}

/** The end of the output, from the beginning of a line. */
function getTail(output: string): string {
  const plain = getPlainText(output).trimEnd();
  if (plain.length <= MAX_TAIL_CHARS) return plain;
  const tail = plain.slice(-MAX_TAIL_CHARS);
  return tail.slice(tail.indexOf('\n') + 1);
}

/** Whether there is a regular file: a link or a pipe in its place could lead anywhere, or hang. */
async function isRegularFile(path: string): Promise<boolean> {
  return lstat(path).then(
    stats => stats.isFile(),
    () => false,
  );
}

/** Removes a folder of reports that an earlier run left, with all that is in it. */
async function clearReports(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory()) await rm(path, { recursive: true, force: true });
}

/** The JUnit files of a folder as one; null when there is no such folder, or none in it. */
async function readReports(path: string): Promise<string | null> {
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isDirectory()) return null;
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.xml'))
    .map(({ name }) => name);
  if (names.length === 0) return null;
  const texts = await Promise.all(names.sort().map(name => readFile(join(path, name), 'utf8')));
  const bodies = texts.map(text => text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, ''));
  return `<testsuites>${bodies.join('\n')}</testsuites>`;
}
