import { getFields, parseObject } from '../../core/base/json.ts';
import { getBaseName } from '../../core/base/tree-path.ts';
import type { RunnerKind } from '../../core/model/testing.ts';
import type { ScriptTool } from '../../core/runners/runner.ts';
import { getCommands, isAssignment } from '../../core/shell/command-line.ts';
import { findInvocation, RUNNERS } from '../../core/testing/runners.ts';
import type { Detection, TestWay } from './detection.ts';
import { type ReadScript, readScript } from './read-script.ts';

type Testing = Pick<Detection, 'runner' | 'full' | 'feature' | 'otherWays' | 'notes'>;

interface Tool extends ScriptTool {
  readonly runner: RunnerKind;
}

const TOOLS: readonly Tool[] = (Object.keys(RUNNERS) as RunnerKind[]).flatMap(runner =>
  (RUNNERS[runner].tools ?? []).map(tool => ({ ...tool, runner })),
);

/** How a manifest's tests are run: the script read through to its runner, then the script as it is. */
export function getNodeTesting(manifest: Manifest, manager: Manager): Testing {
  const script = manifest.scripts.test ?? '';
  const direct = TOOLS.filter(({ isDirect }) => isDirect).map(({ name }) => name);
  const known = direct.filter(name => manifest.dependencies.has(name));
  const named = known.find(name => new RegExp(`(?:^|[\\s/])${name}(?:\\s|$)`).test(script));
  const installed = named ?? known[0];
  if (script === '') {
    if (installed === undefined)
      return { runner: 'command', full: null, notes: ['package.json has no test script: set testing.full.'] };
    return { ...getNodeWay(installed, [], manager.exec), notes: [] };
  }
  const own: TestWay = { runner: 'command', full: manager.test };
  const isWanted = (line: string) =>
    findTool(line) !== undefined || LOOKING.test(line) || /^node /.test(line);
  const read = readScript({ scripts: manifest.scripts, manager: manager.name, isWanted }, 'test');
  const lines = read?.lines ?? [];
  const runners = lines.filter(line => findTool(line) !== undefined);
  const [line] = runners;
  if (read === null && named !== undefined)
    return { ...getNodeWay(named, [], manager.exec), otherWays: [own], notes: [getMore(named, script)] };
  if (read === null || line === undefined || runners.length > 1) {
    const whole = read === null ? own : getPlain(read, manager, own);
    const feature = getAlone(installed, runners, manager);
    return { ...whole, ...(feature ? { feature } : {}), otherWays: whole === own ? [] : [own], notes: [] };
  }
  const tool = findTool(line);
  const name = tool?.name ?? '';
  const before = getBefore(lines, line, tool);
  const way = getNodeWay(line, before, manager.exec);
  const isShorter = read.isShortened || before.length < lines.length - 1;
  const through: readonly TestWay[] =
    isReachedByFlags(line, way.runner) && lines.at(-1) === line
      ? [{ runner: way.runner, full: manager.test }]
      : [];
  return {
    ...way,
    otherWays: way.full === line ? [] : [...through, own],
    notes: isShorter ? [getMore(name, script)] : [],
  };
}

const getMore = (name: string, script: string): string =>
  `The script "test" does more than run ${name}: ${script}`;

/** What has to be done before: builds and the like, but no tool that only looks. */
function getBefore(lines: readonly string[], line: string, tool: Tool | undefined): readonly string[] {
  const before = lines.slice(0, lines.indexOf(line)).filter(other => !LOOKING.test(other));
  return tool?.compiles ? before.filter(other => !/^(?:\S+=\S* )*tsc\b/.test(other)) : before;
}

/** Programs that look at code and leave it as it is. */
const LOOKING =
  /^(?:\S+=\S* )*(?:xo|standard|semistandard|ts-standard|eslint|oxlint|biome|prettier|tsd|tsc (?:.*\s)?--noEmit|dtslint|publint|attw|size-limit|bundlesize|knip|depcheck|madge|ls-lint|markdownlint|remark|cspell|commitlint|tslint|jshint|jscs|dprint|node --check)\b/;

/** A script that drives its tests by itself: programs of Node as they are, others without tools and measurements. */
function getPlain({ lines, isShortened }: ReadScript, { exec }: Manager, own: TestWay): TestWay {
  const kept = lines.filter(line => !LOOKING.test(line));
  const isOther = isShortened || kept.length < lines.length || kept.every(line => /^node /.test(line));
  if (kept.length === 0 || !isOther) return own;
  return { runner: 'command', full: kept.map(line => getExec(line, exec)).join(' && ') };
}

/** One file by itself, where the program that runs all of them is no help with that. */
function getAlone(
  installed: string | undefined,
  runners: readonly string[],
  { exec }: Manager,
): string | undefined {
  if (runners.length > 0 || installed === undefined) return undefined;
  const tool = TOOLS.find(({ name }) => name === installed);
  return tool?.runsAlone ? `${exec} ${installed} {file}` : undefined;
}

/** How to run a line of a script, read by its runner where that is known; other commands of the script go before it. */
function getNodeWay(line: string, before: readonly string[], exec: string): TestWay {
  const tool = findTool(line);
  const first = before.map(other => `${getExec(other, exec)} && `).join('');
  const once = tool?.once?.(line) ?? line;
  const feature = tool?.feature?.(once);
  return {
    runner: tool?.runner ?? 'command',
    full: first + getExec(once, exec),
    ...(feature ? { feature: first + getExec(feature, exec) } : {}),
  };
}

/** Programs of the system; everything else in a script comes from the installed packages. */
const SYSTEM: ReadonlySet<string> = new Set([
  ...'node npm npx yarn pnpm bun deno make sh bash python python3 git cargo'.split(' '),
  ...'cd echo rm mkdir cp mv test true exit export cat ln touch sleep chmod'.split(' '),
]);

/** A command of a script as somebody at a prompt would start it. */
function getExec(line: string, exec: string): string {
  const word = getCommands(line)[0]?.find(({ value }) => !isAssignment(value));
  if (!word || SYSTEM.has(word.value) || word.value.includes('/')) return line;
  return `${line.slice(0, word.start)}${exec} ${line.slice(word.start)}`;
}

function findTool(line: string): Tool | undefined {
  const values = (getCommands(line)[0] ?? []).map(({ value }) => value).filter(value => !isAssignment(value));
  const [program = '', ...rest] = values;
  return TOOLS.find(
    ({ programs, isTest }) => programs.includes(getBaseName(program)) && (isTest?.(rest) ?? true),
  );
}

/** Whether a runner's own flags reach it through the script around it, so that it reports all the same. */
function isReachedByFlags(line: string, kind: RunnerKind): boolean {
  const runner = RUNNERS[kind];
  return runner.takesFlagsLast === true && findInvocation(runner, line)?.via === 'runner';
}

/** What a package.json says about testing, building and installing. */
export interface Manifest {
  readonly name: string | null;
  readonly dependencies: ReadonlySet<string>;
  /** Without the one that says that there are no tests. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string;
  /** Globs of the folders of its own packages. */
  readonly workspaces: readonly string[];
}

/** What installs packages and runs their programs. */
export interface Manager {
  readonly name: string;
  readonly lockfiles: readonly string[];
  readonly install: string;
  /** Where there is no lockfile; it must not leave one in the work either. */
  readonly installLoose: string;
  readonly exec: string;
  readonly test: string;
}

/** Reads as much of it as is well formed. */
export function getManifest(text: string): Manifest {
  const json = parseObject(text);
  const scripts = Object.entries(getFields(json.scripts)).filter(
    ([name, line]) => typeof line === 'string' && (name !== 'test' || !line.includes('no test specified')),
  );
  const { workspaces } = json;
  const globs = Array.isArray(workspaces) ? workspaces : getFields(workspaces).packages;
  return {
    name: typeof json.name === 'string' && json.name.trim() !== '' ? json.name : null,
    dependencies: new Set([
      ...Object.keys(getFields(json.dependencies)),
      ...Object.keys(getFields(json.devDependencies)),
    ]),
    scripts: Object.fromEntries(scripts.map(([name, line]) => [name, String(line).trim()])),
    packageManager: typeof json.packageManager === 'string' ? json.packageManager : '',
    workspaces: Array.isArray(globs) ? globs.map(String) : [],
  };
}
