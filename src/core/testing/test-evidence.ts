import { matchesAny } from '../base/glob.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Evidence } from '../model/facts.ts';
import { getWrites } from '../shell/shell-writes.ts';
import { type About, getTestRun } from './test-run-line.ts';

export interface EvidenceRules extends About {
  /** Files whose change no test could notice. */
  readonly aside: readonly string[];
}

const MAX_COMMANDS = 5;

/** Listens to a session for the order of its edits and its test runs. */
export function createEvidence(rules: EvidenceRules) {
  let lastEdit: string | null = null;
  let isGood = false;
  let othersRed = false;
  let commands: string[] = [];
  let saysCommands = false;
  const edit = (path: string): void => {
    if (matchesAny(path, rules.aside)) return;
    lastEdit = path;
    isGood = false;
    othersRed = false;
    commands = [];
  };
  return {
    note(event: AgentEvent): void {
      if (event.type === 'file' && event.action !== 'read') edit(event.path);
      if (event.type !== 'command') return;
      saysCommands = true;
      for (const path of getWrites(event.command)) edit(path);
      const run = getTestRun(event.command, rules);
      if (run === null) return;
      commands = [...commands, event.command.slice(0, 300)].slice(-MAX_COMMANDS);
      isGood = run.isTelling && event.exitCode === 0;
      othersRed =
        run.isTelling && run.isWhole && hasRun(event.exitCode) && !hasOwnFailure(event.output, rules.task);
    },
    get(reportsTools: boolean): Evidence {
      const isReported = reportsTools || saysCommands;
      const shown = {
        isReported,
        testRunAfterLastEdit: isGood,
        lastEdit: isGood ? null : lastEdit,
        commands,
      };
      return othersRed ? { ...shown, othersRed } : shown;
    },
  };
}

/** Whether a failed command came as far as its tests: shells tell of missing programs and signals by exit code. */
function hasRun(exitCode: number | null): boolean {
  return exitCode !== null && exitCode > 0 && exitCode < 126;
}

/** Whether the output names the task's test file where runners tell of failures. */
function hasOwnFailure(output: string, { testFile }: EvidenceRules['task']): boolean {
  if (testFile === null) return false;
  const file = `(?:\\S*/)?${testFile.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
  const named = `^\\s*(?:FAIL(?:ED)?:?|ERROR|test at|✖|×|❯|not ok \\d+ -)\\s+${file}(?=[\\s:>]|$)`;
  const located = `^\\s*not ok [^\\n]*\\n(?:[^\\n]*\\n){0,4}?\\s*location: '${file}:`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
  return new RegExp(`${named}|${located}`, 'm').test(output.replaceAll(/\u001b\[[\d;]*m/g, ''));
}
