import { getBaseName, joinPath } from '../base/tree-path.ts';
import type { TestingPolicy } from '../model/policy.ts';
import type { TaskDef } from '../model/task.ts';
import type { Runner } from '../runners/runner.ts';
import { getCommands, isAssignment, type Word } from '../shell/command-line.ts';
import { findInvocation, RUNNERS } from './runners.ts';
import { getFeatureCommand } from './test-command.ts';

/** What is to be tested, and how this project does it. */
export interface About {
  readonly testing: TestingPolicy;
  readonly task: Pick<TaskDef, 'testFile' | 'validation'>;
}

/** A run of tests as a shell line shows it. */
export interface TestRunLine {
  /** Whether its exit code tells how they went: behind `||` and before `;` it does not. */
  readonly isTelling: boolean;
  /** Whether nothing narrows it to some of the tests. */
  readonly isWhole: boolean;
}

/** Whether a shell line runs the task's tests; null when it runs none of them. */
export function getTestRun(line: string, about: About): TestRunLine | null {
  const inner = getInnerScript(line);
  if (inner !== null) return getTestRun(inner, about);
  const commands = getCommands(line);
  const at = commands.findLastIndex(words => isTestCommand(line, words, about));
  const words = commands[at];
  if (words === undefined) return null;
  const joints = commands.map((each, i) => getJoint(line, each, commands[i + 1]));
  return {
    isTelling: !joints.slice(0, at).some(joint => joint.includes('||')) && !joints.slice(at).some(isHiding),
    isWhole: !isNarrowed(words.map(({ value }) => value)),
  };
}

/** What joins a command to the next one; a `;` that nothing follows joins nothing. */
function getJoint(line: string, words: readonly Word[], next: readonly Word[] | undefined): string {
  const text = line.slice(words.at(-1)?.end, next?.[0]?.start);
  const lines = text.split('\n').map(each => each.split('#', 1)[0] ?? '');
  return next === undefined ? lines.join('').replaceAll(';', '') : lines.join(';');
}

/** Whether the exit code before it is lost: to an alternative, to the next command or to the background. */
function isHiding(joint: string): boolean {
  const rest = joint.replaceAll('&&', '');
  return rest.includes('||') || rest.includes(';') || rest.includes('&');
}

const ALL: readonly Runner[] = Object.values(RUNNERS);
const NARROWING = new Set(ALL.flatMap(({ narrowingFlags = [] }) => narrowingFlags));

function isNarrowed(values: readonly string[]): boolean {
  return getTestFiles(values).length > 0 || values.some(value => NARROWING.has(value.split('=', 1)[0] ?? ''));
}

const SHELLS = new Set('sh bash zsh dash ksh'.split(' '));

/** `bash -lc "…"`: what counts is inside. */
function getInnerScript(line: string): string | null {
  const [words, ...more] = getCommands(line);
  if (!words || more.length > 0 || !SHELLS.has(getBaseName(words[0]?.value ?? ''))) return null;
  const at = words.findIndex(({ value }) => value.startsWith('-') && value.endsWith('c'));
  return at === -1 ? null : (words[at + 1]?.value ?? null);
}

/** What makes a runner tell of itself or of its tests, and run none. */
const LISTING = new Set([
  ...['-h', '--h', '--help', '--version', '--list'],
  ...ALL.flatMap(({ listingFlags = [] }) => listingFlags),
]);

function isTestCommand(line: string, words: readonly Word[], about: About): boolean {
  const values = getValues(words);
  if (values.some(value => LISTING.has(value))) return false;
  if (getConfigured(about).some(wanted => wanted.every((value, i) => values[i] === value)))
    return namesIt(values, about);
  const text = line.slice(words[0]?.start ?? 0, words.at(-1)?.end);
  const isRun = ALL.some(runner => runner.isRecognised && isStarted(runner, text)) || isScript(values);
  return isRun && namesIt(values, about);
}

/** The words of a command without the variables that are set for it. */
function getValues(words: readonly Word[]): readonly string[] {
  return words.map(({ value }) => value).filter(value => !isAssignment(value));
}

/** The last command of each configured line: what stands before it only makes things ready. */
function getConfigured({ testing, task }: About): readonly (readonly string[])[] {
  const feature = task.testFile === null ? null : getFeatureCommand(testing, task.testFile);
  return [testing.full, feature, task.validation?.command ?? null].flatMap(line => {
    const values = getValues((line === null ? undefined : getCommands(line).at(-1)) ?? []);
    return values.length > 0 ? [values] : [];
  });
}

/** Programs that start the one named after them. */
const STARTERS = 'timeout time nice env sudo cross-env'.split(' ');

/** Words that may stand before a runner without being what is run instead of it. */
const LAUNCHERS = new Set([
  ...STARTERS,
  ...'npx bunx pnpm npm yarn bun exec dlx run x poetry uv pipenv hatch pdm node coverage c8 nyc go cargo vitest nextest'.split(
    ' ',
  ),
]);

function isStarted(runner: Runner, text: string): boolean {
  const found = findInvocation(runner, text);
  if (found?.via !== 'runner') return false;
  const before = found.words.slice(0, found.firstArgument - 1).map(({ value }) => getBaseName(value));
  return before.every(value => LAUNCHERS.has(value) || value.startsWith('python') || isOption(value));
}

/** A flag, a variable, or how long something may take. */
function isOption(value: string): boolean {
  return value.startsWith('-') || isAssignment(value) || !Number.isNaN(Number.parseInt(value, 10));
}

const PACKAGE_MANAGERS = new Set('npm pnpm yarn bun'.split(' '));
const BUILD_TOOLS = new Set(
  'make just task gradle gradlew mvn mvnw dotnet mix swift deno rake tox'.split(' '),
);

/** `npm test`, `pnpm run test:unit`, `make test` and their kin. */
function isScript(values: readonly string[]): boolean {
  const start = values.findIndex(value => !STARTERS.includes(value) && !isOption(value));
  const [program = '', ...args] = values.slice(Math.max(0, start));
  const name = getBaseName(program);
  const [first = '', second = ''] = args.filter(arg => !arg.startsWith('-'));
  if (BUILD_TOOLS.has(name)) return name === 'tox' || first.startsWith('test');
  if (!PACKAGE_MANAGERS.has(name)) return false;
  if (first === 't' || first === 'tst') return true;
  const script = first.startsWith('run') ? second : name === 'npm' && first !== 'test' ? '' : first;
  return script.includes('test') || script.includes('spec');
}

/** A run of other files only is a run of something else. */
function namesIt(values: readonly string[], { task }: About): boolean {
  const { testFile } = task;
  if (testFile === null) return true;
  const files = getTestFiles(values).map(file => joinPath('', file.split('::', 1)[0] ?? ''));
  return files.length === 0 || files.some(file => testFile.endsWith(file) || file.endsWith(testFile));
}

/** Words that name a file of tests. */
const TEST_FILE = /^[\w@./-]+\.(test|spec)\.\w+|^[\w@./-]*test_\w+\.py|^[\w@./-]+_test\.(go|py|rb)/;

function getTestFiles(values: readonly string[]): readonly string[] {
  return values.slice(1).filter(value => TEST_FILE.test(value));
}
