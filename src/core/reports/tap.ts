import { type ReportParser, Results } from './report.ts';

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

/** One test point, with the subtests that came before it. */
interface TapPoint {
  readonly name: string;
  readonly ok: boolean;
  readonly directive: 'skipped' | 'todo' | null;
  children: TapLevel | null;
  message: string;
  durationMs: number | undefined;
  isSuite: boolean;
  /** The comment that it stands under: some runners give every assertion a line, and the test a comment. */
  section?: string;
}

interface TapLevel {
  readonly points: TapPoint[];
  planned: number | null;
}

interface Tap {
  readonly top: TapLevel;
  readonly bailOut: string | null;
  readonly isTap: boolean;
}

/** The lines of a TAP stream as a tree; whatever is not TAP among them is left out. */
function readTap(text: string): Tap {
  const levels: TapLevel[] = [createLevel()];
  const open: TapPoint[] = [];
  let [bailOut, last, yaml]: [string | null, TapPoint | null, string[] | null] = [null, null, null];
  let [isTap, yamlIndent, section] = [false, 0, ''];
  const isFlat = !/^\s+(?:not )?ok\b|^\s*# Subtest/m.test(text);
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trimStart();
    const depth = Math.floor((raw.length - line.length) / 4);
    if (yaml) {
      if (line.trimEnd() === '...' && raw.length - line.length <= yamlIndent) {
        if (last) describePoint(last, yaml);
        yaml = null;
      } else yaml.push(raw);
    } else if (line.trimEnd() === '---' && last) {
      yaml = [];
      yamlIndent = raw.length - line.length;
    } else if (/^TAP version \d+/.test(line)) isTap = true;
    else if (/^Bail out!/.test(line)) bailOut = line.slice(9).trim();
    else if (/^1\.\.\d+/.test(line)) {
      getLevel(levels, depth).planned = Number(/^1\.\.(\d+)/.exec(line)?.[1]);
    } else if (/^(not )?ok\b/.test(line)) {
      last = getPoint(line);
      if (isFlat && section !== '' && section !== last.name) last.section = section;
      if (/\{\s*$/.test(line)) open[depth] = last;
      else last.children = takeChildren(levels, depth);
      getLevel(levels, depth).points.push(last);
    } else if (line.startsWith('# ')) section = line.slice(2).trim();
    else if (/^\}\s*$/.test(line) && open[depth]) {
      (open[depth] as TapPoint).children = takeChildren(levels, depth);
      delete open[depth];
    }
  }
  const orphans = takeChildren(levels, 0);
  const top = levels[0] as TapLevel;
  if (orphans) top.points.push({ ...getPoint('not ok - (unfinished subtest)'), children: orphans });
  return { top, bailOut, isTap: isTap || top.planned !== null || top.points.length > 0 };
}

/** Whether anything below failed by itself, which explains the failure of what stands above. */
function hasFailure(level: TapLevel): boolean {
  return level.points.some(
    p => (!p.ok && p.directive === null) || (p.children !== null && hasFailure(p.children)),
  );
}

function createLevel(): TapLevel {
  return { points: [], planned: null };
}

function getLevel(levels: TapLevel[], depth: number): TapLevel {
  while (levels.length <= depth) levels.push(createLevel());
  return levels[depth] as TapLevel;
}

function takeChildren(levels: TapLevel[], depth: number): TapLevel | null {
  const [children = null] = levels.splice(depth + 1);
  return children;
}

function getPoint(line: string): TapPoint {
  const [, not, rest = ''] = /^(not )?ok\b\s*\d*\s*(?:- ?)?(.*)$/.exec(line.replace(/\{\s*$/, '')) ?? [];
  const timed = rest.replace(/\s# time=[\d.]+m?s$/, '');
  const [, text = timed, word] = /^(.*?)(?<!\\)#\s*(skip|todo)\S*(?:\s.*)?$/i.exec(timed) ?? [];
  return {
    name: text.replace(/\\([#\\])/g, '$1').trim(),
    ok: not === undefined,
    directive: word === undefined ? null : word.toLowerCase() === 'skip' ? 'skipped' : 'todo',
    children: null,
    message: '',
    durationMs: undefined,
    isSuite: false,
  };
}

/** The few keys of a diagnostic block that matter here; the block as it is when it has no message. */
function describePoint(point: TapPoint, yaml: readonly string[]): void {
  const indent = Math.min(...yaml.map(line => line.length - line.trimStart().length));
  const lines = yaml.map(line => line.slice(indent));
  const getScalar = (key: string) =>
    lines
      .find(line => line.startsWith(`${key}:`))
      ?.slice(key.length + 1)
      .trim();
  point.isSuite = getScalar('type')?.replace(/'/g, '') === 'suite';
  const durationMs = Number(getScalar('duration_ms') ?? Number.NaN);
  if (Number.isFinite(durationMs)) point.durationMs = durationMs;
  point.message = getValue(lines, 'error') ?? getValue(lines, 'message') ?? lines.join('\n');
}

function getValue(lines: readonly string[], key: string): string | null {
  const start = lines.findIndex(line => line.startsWith(`${key}:`));
  if (start === -1) return null;
  const inline = (lines[start] as string).slice(key.length + 1).trim();
  if (!/^[|>][-+]?$/.test(inline)) return inline.replace(/^(['"])(.*)\1$/, '$2');
  const end = lines.findIndex((line, i) => i > start && !/^\s|^$/.test(line));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .map(line => line.trimStart())
    .join('\n');
}
