import { HarnessError } from '../core/base/failure.ts';
import { getCount, getUsefulLine } from '../core/base/text.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Workspace } from '../ports/index.ts';
import { getHow } from './install.ts';
import type { BaseShell } from './preflight-checks.ts';

type Command = 'init' | 'healthCheck';

const FIELDS: Readonly<Record<Command | 'reset', string>> = {
  init: 'environment.init',
  healthCheck: 'environment.health_check',
  reset: 'environment.reset',
};

/** What a project is brought up by where its configuration names nothing: a script of that name says so itself. */
export async function getInitCommand(
  { environment }: Pick<Policy, 'environment'>,
  workspace: Pick<Workspace, 'readFile'>,
  base: string,
): Promise<string | null> {
  if (environment.init !== null) return environment.init;
  const text = await workspace.readFile(base, INIT_SCRIPT);
  if (text === null) return null;
  return `${/^#!.*\bbash\b/.test(text) ? 'bash' : 'sh'} ${INIT_SCRIPT}`;
}

const INIT_SCRIPT = 'harness-init.sh';

/** Brings the environment up and asks whether it is well; both share the resets that are allowed. */
export function createBringUp(
  {
    environment,
    preflight,
    commandTimeoutMs,
  }: Pick<Policy, 'environment' | 'preflight' | 'commandTimeoutMs'>,
  shell: BaseShell,
): Readonly<Record<Command, () => Promise<string>>> {
  let resets = 0;
  const getTries = () => `, after ${getCount(resets, 'reset')}`;
  const run = async (name: keyof typeof FIELDS): Promise<void> => {
    const command = environment[name];
    if (command === null) return;
    const result = await shell(command);
    if (result.exitCode === 0) return;
    const tried = resets === 0 || name === 'reset' ? '' : getTries();
    const how = `${getHow(result, commandTimeoutMs)}${tried}`;
    const output = `${getUsefulLine(result.output)}\n${result.output.slice(-1_500)}`;
    const field = FIELDS[name];
    throw new HarnessError('environment', `${field} (${command}) failed (${how}): ${output}`, { field });
  };
  /** Where something fails, everything is reset, begun again and asked again. */
  const runOrReset = async (first: readonly Command[], again: readonly Command[]): Promise<void> => {
    try {
      for (const name of first) await run(name);
    } catch (error) {
      const isOver = !preflight.autoReset || resets >= preflight.maxResetAttempts;
      if (environment.reset === null || isOver) throw error;
      resets++;
      await run('reset');
      await runOrReset(again, again);
    }
  };
  const getWords = (words: string) => `${words}${resets === 0 ? '' : getTries()}`;
  return {
    async init() {
      if (environment.init === null) return 'nothing to start';
      await runOrReset(['init'], ['init']);
      return getWords('started');
    },
    async healthCheck() {
      await runOrReset(['healthCheck'], ['init', 'healthCheck']);
      return getWords('healthy');
    },
  };
}
