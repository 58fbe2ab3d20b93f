import type { Command } from 'commander';
import { readOverview } from '../../../app/look/read-overview.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';
import { MAIN, TOPICS } from '../../terminal/topics.ts';

/** `harness` alone: one screen with what matters, where the project stands, and the next step. */
export async function showOverview(io: Io, program: Command): Promise<void> {
  const style = createStyle(io.colourOut);
  const { state, next } = await readOverview(io);
  io.out(`${style.bold('harness')}: lands only what it has proven itself\n`);
  io.out(`${state}\n${style.good(`next: ${next}`)}\n`);
  for (const line of getCommandLines(program)) io.out(line);
  io.out(style.dim('\nharness help <command> has every flag with an example'));
}

/** The eight, each with a line, and the others by topic. */
export function getCommandLines(program: Command): readonly string[] {
  const known = new Map(program.commands.map(command => [command.name(), command]));
  const width = Math.max(...TOPICS.map(([topic]) => topic.length));
  return [
    ...MAIN.map(name => `  ${name.padEnd(8)}  ${known.get(name)?.description() ?? ''}`),
    '',
    ...TOPICS.map(([topic, names]) => `  ${`${topic}:`.padEnd(width + 1)}  ${names.join(', ')}`),
  ];
}
