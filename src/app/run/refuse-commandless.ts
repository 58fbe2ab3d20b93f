import { HarnessError } from '../../core/base/failure.ts';

/** An agent that is any program has to be told which one. */
export function refuseCommandless({
  agent,
  command,
}: {
  readonly agent?: string;
  readonly command?: string;
}): void {
  const needs = agent === 'command' || agent === 'acp';
  if (needs === (command !== undefined && command.trim() !== '')) return;
  const why = needs
    ? `--agent ${agent} needs to be told what to start`
    : 'only --agent command or acp has it';
  const fix = `harness init --agent ${needs ? agent : 'command'} --command "./agent.sh"`;
  throw new HarnessError('usage', `--command: ${why}`, { field: '--command', fix });
}
