import { type ReportParser, Results } from './report.ts';
import { hasFailure, readTap, type TapLevel, type TapPoint } from './tap-lines.ts';

/** TAP 13 and 14, with nested subtests. */
export const parseTap: ReportParser = (text, trees) => {
  const { top, bailOut, isTap } = readTap(text);
  if (!isTap) return { results: [], problem: 'the report is not TAP' };
  const results = new Results(trees);
  addLevel(top, [], results);
  if (bailOut !== null) results.add(['Bail out!'], 'error', { message: bailOut });
  else if (top.planned === null)
    results.add(['(plan)'], 'error', { message: 'the report ended without a plan' });
  return { results: results.all };
};

function addLevel(level: TapLevel, path: readonly string[], results: Results): void {
  for (const point of level.points) addPoint(point, path, results);
  if (level.planned !== null && level.planned !== level.points.length) {
    const message = `${level.planned} tests were planned, ${level.points.length} reported`;
    results.add([...path, '(plan)'], 'error', { message });
  }
}

function addPoint(point: TapPoint, path: readonly string[], results: Results): void {
  const own = [...path, point.section, point.name];
  if (point.children) addLevel(point.children, [...path, point.name], results);
  const { ok, directive, durationMs } = point;
  const more = { message: ok ? undefined : point.message, durationMs };
  const isFile = path.length === 0 && !point.children && results.getFile(point.name) !== point.name;
  if (directive) results.add(own, directive, more);
  else if (!ok && path.length === 0 && !point.children && NO_TEST.test(point.name))
    results.add(own, 'error', more);
  else if (isFile) {
    if (!ok) results.add(own, 'error', more);
  } else if (point.isSuite) {
    if (!ok && !(point.children && hasFailure(point.children))) results.add(own, 'error', more);
  } else results.add(own, ok ? 'passed' : 'failed', more);
}

/** What ava tells of a file that did not get as far as its tests, as if it were one. */
const NO_TEST =
  /^\w*Error(?: \[\w+\])?: |^No tests found in |^(?:Uncaught exception|Unhandled rejection) in |\sexited (?:with a non-zero exit code|due to)\b/;
