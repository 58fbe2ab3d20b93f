import type { Command } from './command/define-command.ts';

/** Every command by its name, in the order of its group; only the one that was asked for is loaded. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./commands/work/run.ts')).run,
  loop: async () => (await import('./commands/work/loop.ts')).loop,
  recover: async () => (await import('./commands/work/recover.ts')).recover,
  skip: async () => (await import('./commands/people/skip.ts')).skip,
  audit: async () => (await import('./commands/look/audit.ts')).audit,
  health: async () => (await import('./commands/look/health.ts')).health,
};

/** All of them: for help, completion and the man page. */
export function loadCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map(load => load()));
}
