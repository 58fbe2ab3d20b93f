import { getCommands, type Word } from './command-line.ts';
import type { TestingPolicy } from './policy.ts';
import type { TaskDef } from './task.ts';
import { getFeatureCommand } from './test-command.ts';
import { findInvocation } from './test-invocation.ts';
import type { RunnerKind } from './testing.ts';

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
  if (at === -1) return null;
  const last = commands[at]?.at(-1)?.end ?? 0;
  const before = line.slice(0, commands[at]?.[0]?.start ?? 0);
  const rest = getUnquoted(line.slice(last));
  return {
    isTelling: !getUnquoted(before).includes('||') && !/\|\||[;\n]\s*\S|(?<!&)&(?!&|\d)/.test(rest),
    isWhole: !isNarrowed((commands[at] ?? []).map(({ value }) => value)),
  };
}

function isNarrowed(values: readonly string[]): boolean {
  return (
    getTestFiles(values).length > 0 ||
    values.some(value =>
      /^(-[tgk]|--(grep|fgrep|testNamePattern|test-name-pattern|run)(=.*)?|-run)$/.test(value),
    )
  );
}

/** `bash -lc "…"`: what counts is inside. */
function getInnerScript(line: string): string | null {
  const [words, ...more] = getCommands(line);
  if (!words || more.length > 0 || !/^(.*\/)?(ba|z|da|k)?sh$/.test(words[0]?.value ?? '')) return null;
  const at = words.findIndex(word => /^-\w*c$/.test(word.value));
  return at === -1 ? null : (words[at + 1]?.value ?? null);
}

function isTestCommand(line: string, words: readonly Word[], about: About): boolean {
  const values = words.map(word => word.value).filter(value => !/^\w+=/.test(value));
  if (values.some(value => /^(--?h(elp)?|--version|--co(llect-only)?|--listTests|--list)$/.test(value)))
    return false;
  if (getConfigured(about).some(wanted => wanted.every((value, i) => values[i] === value)))
    return namesIt(values, about);
  const text = line.slice(words[0]?.start ?? 0, words.at(-1)?.end);
  const isRun = RUNNERS.some(runner => isStarted(runner, text)) || isScript(values);
  return isRun && namesIt(values, about);
}

/** The last command of each configured line: what stands before it only makes things ready. */
function getConfigured({ testing, task }: About): readonly (readonly string[])[] {
  const feature = task.testFile === null ? null : getFeatureCommand(testing, task.testFile);
  return [testing.full, feature, task.validation?.command ?? null].flatMap(line => {
    const words = line === null ? undefined : getCommands(line).at(-1);
    const values = (words ?? []).map(word => word.value).filter(value => !/^\w+=/.test(value));
    return values.length > 0 ? [values] : [];
  });
}

const RUNNERS: readonly RunnerKind[] = ['vitest', 'jest', 'mocha', 'pytest', 'node', 'go', 'cargo'];

/** Words that may stand before a runner without being what is run instead of it. */
const LAUNCHER =
  /^(-.*|\w+=.*|\d+[smh]?|env|npx|bunx|pnpm|npm|yarn|bun|exec|dlx|run|x|poetry|uv|pipenv|hatch|pdm|python[\d.]*|node|timeout|time|nice|cross-env|coverage|c8|nyc|go|cargo|vitest|nextest)$/;

function isStarted(runner: RunnerKind, text: string): boolean {
  const found = findInvocation(runner, text);
  if (found?.via !== 'runner') return false;
  const before = found.words.slice(0, found.firstArgument - 1).map(({ value }) => value.replace(/^.*\//, ''));
  return before.every(value => LAUNCHER.test(value));
}

/** `npm test`, `pnpm run test:unit`, `make test` and their kin. */
function isScript(values: readonly string[]): boolean {
  const start = values.findIndex(value => !/^(timeout|time|nice|env|sudo|-.*|\d+[smh]?)$/.test(value));
  const [program = '', ...args] = values.slice(Math.max(0, start));
  const name = program.replace(/^.*\//, '');
  const [first = '', second = ''] = args.filter(arg => !arg.startsWith('-'));
  if (/^(npm|pnpm|yarn|bun)$/.test(name)) {
    if (/^(t|tst|test)$/.test(first)) return true;
    return /test|spec/.test(/^run(-script)?$/.test(first) ? second : name === 'npm' ? '' : first);
  }
  return (
    /^(make|just|task|gradlew?|mvnw?|dotnet|mix|swift|deno|rake|tox)$/.test(name) &&
    /^test|tox/.test(first || name)
  );
}

/** A run of other files only is a run of something else. */
function namesIt(values: readonly string[], { task }: About): boolean {
  const { testFile } = task;
  if (testFile === null) return true;
  const files = getTestFiles(values);
  if (files.length === 0) return true;
  return files.some(
    file => testFile.endsWith(file.replace(/^\.\//, '').replace(/::.*$/, '')) || file.endsWith(testFile),
  );
}

function getTestFiles(values: readonly string[]): readonly string[] {
  return values
    .slice(1)
    .filter(value =>
      /^[\w@./-]+\.(test|spec)\.\w+|^[\w@./-]*test_\w+\.py|^[\w@./-]+_test\.(go|py|rb)/.test(value),
    );
}

function getUnquoted(text: string): string {
  return text.replace(/'[^']*'|"(\\.|[^"\\])*"/g, '').replace(/#.*$/gm, '');
}
