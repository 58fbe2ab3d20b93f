import type { Detection, TestWay } from './detection.ts';
import type { Manager, Manifest } from './node-manifest.ts';
import { getExec, getNodeRunner, getNodeWay, isReachedByFlags } from './node-ways.ts';
import { type ReadScript, readScript } from './read-script.ts';

type Testing = Pick<Detection, 'runner' | 'full' | 'feature' | 'otherWays' | 'notes'>;

/** Runners that a project has without a script that names one. */
const DIRECT: readonly string[] = ['vitest', 'jest', 'mocha', 'ava'];

/** How a manifest's tests are run: the script read through to its runner, then the script as it is. */
export function getNodeTesting(manifest: Manifest, manager: Manager): Testing {
  const script = manifest.scripts.test ?? '';
  const known = DIRECT.filter(name => manifest.dependencies.has(name));
  const named = known.find(name => new RegExp(`(?:^|[\\s/])${name}(?:\\s|$)`).test(script));
  const installed = named ?? known[0];
  if (script === '') {
    if (installed === undefined)
      return { runner: 'command', full: null, notes: ['package.json has no test script: set testing.full.'] };
    return { ...getNodeWay(installed, [], manager.exec), notes: [] };
  }
  const own: TestWay = { runner: 'command', full: manager.test };
  const isWanted = (line: string) => getNodeRunner(line) !== null || TOOL.test(line) || /^node /.test(line);
  const read = readScript({ scripts: manifest.scripts, manager: manager.name, isWanted }, 'test');
  const lines = read?.lines ?? [];
  const runners = lines.filter(line => getNodeRunner(line) !== null);
  const [line] = runners;
  if (read === null && named !== undefined)
    return { ...getNodeWay(named, [], manager.exec), otherWays: [own], notes: [getMore(named, script)] };
  if (read === null || line === undefined || runners.length > 1) {
    const whole = read === null ? own : getPlain(read, manager, own);
    const feature = getAlone(installed, runners, manager);
    return { ...whole, ...(feature ? { feature } : {}), otherWays: whole === own ? [] : [own], notes: [] };
  }
  const name = getNodeRunner(line) ?? '';
  const before = getBefore(lines, line, name);
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
function getBefore(lines: readonly string[], line: string, name: string): readonly string[] {
  const before = lines.slice(0, lines.indexOf(line)).filter(other => !TOOL.test(other));
  // These compile what they load, so that the compiler only checks.
  return /^(?:vitest|jest)$/.test(name) ? before.filter(other => !/^(?:\S+=\S* )*tsc\b/.test(other)) : before;
}

/** Programs that look at code and leave it as it is. */
const TOOL =
  /^(?:\S+=\S* )*(?:xo|standard|semistandard|ts-standard|eslint|oxlint|biome|prettier|tsd|tsc (?:.*\s)?--noEmit|dtslint|publint|attw|size-limit|bundlesize|knip|depcheck|madge|ls-lint|markdownlint|remark|cspell|commitlint|tslint|jshint|jscs|dprint|node --check)\b/;

/** A script that drives its tests by itself: programs of Node as they are, others without tools and measurements. */
function getPlain({ lines, isShortened }: ReadScript, { exec }: Manager, own: TestWay): TestWay {
  const kept = lines.filter(line => !TOOL.test(line));
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
  return { mocha: `${exec} mocha {file}`, ava: `${exec} ava {file}` }[installed];
}
