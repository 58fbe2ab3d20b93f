import type { RunnerKind, TestRun } from '../model/testing.ts';
import { RUNNERS } from './runners.ts';

/**
 * Why a suite that left no result on the base cannot have started; null when it may have: it has no tests
 * yet, or code that is not written yet keeps it from compiling or loading.
 */
export function getStartProblem(run: TestRun, runner: RunnerKind, install: string | null): string | null {
  if (runner === 'command') return getLaunchProblem(run);
  if (run.timedOut || run.results.length > 0) return null;
  const { alwaysStarts, installExample: example } = RUNNERS[runner];
  if (NO_TESTS.test(run.outputTail) || run.reportProblem === 'no tests were collected') return null;
  if (run.exitCode === 0)
    return run.reportProblem === undefined || !alwaysStarts
      ? null
      : `${run.command} ended well on the base, and ${run.reportProblem}: set testing.runner and testing.full to what starts that runner itself. It said:\n${getOutput(run)}`;
  const mayBeCode = !alwaysStarts || /&&|;|\|/.test(run.command);
  if (mayBeCode && !NOT_THERE.test(run.outputTail)) return null;
  const output = getOutput(run);
  const todo =
    install === null
      ? `set environment.install to what a fresh tree needs${example === undefined ? '' : `, such as ${example}`}`
      : `environment.install (${install}) has to bring whatever it needs`;
  return `${run.command} ended with exit code ${run.exitCode} on the base and left no result of any test; ${todo}. It said:\n${output}`;
}

/** Of a command that only has an exit code: whether what it starts is not there at all, in the launcher's own words. */
function getLaunchProblem(run: TestRun): string | null {
  if (run.timedOut || run.exitCode === 0 || !NOT_LAUNCHED.test(run.outputTail)) return null;
  return `${run.command} could not be started on the base (exit code ${run.exitCode}): set testing.full to what runs the tests, or environment.install to what brings it. It said:\n${getOutput(run)}`;
}

/** The end of what a command said. */
export function getOutput({ outputTail }: TestRun): string {
  return outputTail.trim().split('\n').slice(-MAX_LINES).join('\n').slice(-MAX_CHARS) || 'nothing';
}

const MAX_LINES = 12;
const MAX_CHARS = 1_200;

const NO_TESTS = /\bno tests? (?:files? )?(?:found|ran|collected|to run)\b|^Could not find '/im;

/** A launcher that finds nothing to launch; a missing module may be what the task is to bring. */
const NOT_LAUNCHED =
  /^npm (?:error|ERR!) (?:could not determine executable|Missing script|code E(?:404|AI_AGAIN|NOTFOUND|CONNREFUSED))|^\S*python[\d.]*: No module named '?(?:pytest|nose2|tox|nox)\b/m;

/** A program or a package that is missing; a path that is missing is code that has yet to be written. */
const NOT_THERE =
  /\bnpm (?:error|ERR!)|\b(?:command )?not found$|could not determine executable|No module named '?(?:pytest|_pytest)|Cannot find (?:module|package) '(?![./]|[A-Za-z]:)|Missing script/m;
