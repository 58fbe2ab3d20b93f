import type { RunnerKind } from '../model/testing.ts';
import { getCommands, isAssignment } from '../shell/command-line.ts';
import { getRunnerOf, RUNNERS } from './runners.ts';

/** What package managers put before a program. */
const LAUNCHERS: ReadonlySet<string> = new Set('npx pnpx bunx npm pnpm yarn exec dlx --yes -y'.split(' '));

/**
 * A command as it leaves a report of its tests, where its words call a runner that can be told to; by its exit code
 * alone where nobody knows.
 */
export function getReporting(line: string): { readonly command: string; readonly runner: RunnerKind } {
  const runner = getRunnerOf(line, null);
  if (runner !== 'command') return { command: line, runner };
  const once = line.includes('{report}') ? line : getOnce(line);
  return once?.includes('{report}') ? { command: once, runner: 'junit' } : { command: line, runner };
}

/** For tools that write JUnit where a flag or a variable tells them to. A report of their own choice stays theirs. */
function getOnce(line: string): string | undefined {
  const commands = getCommands(line);
  const words = commands[0]?.map(({ value }) => value).filter(value => !isAssignment(value)) ?? [];
  const [program = '', ...args] = words.slice(words.findIndex(value => !LAUNCHERS.has(value)));
  const isOther = /--reporter(?!=\S*junit)/.test(line) || commands.length !== 1;
  const tools = RUNNERS.junit.tools ?? [];
  const tool = tools.find(({ programs, isTest }) => programs.includes(program) && (isTest?.(args) ?? true));
  return isOther ? undefined : tool?.once?.(line);
}
