import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { checkStoreFile } from '../../../adapters/store/store-files.ts';
import { readIfThere } from '../../../app/project/git-places.ts';
import { findPlaces, getWhere, openCheckout } from '../../../app/project/open-checkout.ts';
import { findConfigFile } from '../../../config/find-config.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';
import { MAIN, TOPICS } from '../../terminal/topics.ts';

/** `harness` alone: one screen with what matters, where the project stands, and the next step. */
export async function showOverview(io: Io, program: Command): Promise<void> {
  const style = createStyle(io.colourOut);
  const { state, next } = await readState(io);
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

interface State {
  readonly state: string;
  readonly next: string;
}

/** Looks, and changes nothing: where nothing was recorded yet, nothing is. */
async function readState(io: Io): Promise<State> {
  try {
    return await readProject(io);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const { fix = 'harness doctor' } = error.details;
    return { state: error.message.split('\n', 1)[0] ?? '', next: fix.split('\n', 1)[0] ?? '' };
  }
}

async function readProject(io: Io): Promise<State> {
  const where = getWhere(io, io.env.HARNESS_TARGET_REPO || undefined);
  const { root } = await findPlaces(where);
  if (findConfigFile(root) === null)
    return {
      state: `${root} is not set up`,
      next: 'harness init   (or, to judge what you have changed without any set-up: harness verify --base main)',
    };
  const { stateDir, backlogPath, backlog, config } = await openCheckout(where);
  if (existsSync(stateDir) && checkStoreFile(stateDir)) return readRecorded(io);
  const text = readIfThere(join(root, backlogPath));
  const open = text === null ? 0 : backlog.parse(text, { cycles: 'allow' }).tasks.length;
  const { name } = config.project;
  if (open === 0)
    return { state: `${name}: no task yet`, next: 'harness add "what should be built" --test-file <path>' };
  return {
    state: `${name}: ${open} tasks, and nothing has run yet`,
    next: 'harness doctor, then harness run',
  };
}

/** From the same view as `status`. */
async function readRecorded(io: Io): Promise<State> {
  const { readStatus } = await import('./status.ts');
  const { project, counts, total, next, questions, hints, active } = await readStatus(io);
  const parts = [
    `${total} tasks`,
    `${counts.landed} landed`,
    ...(active.length > 0 ? [`${active.length} being worked on`] : []),
    ...(questions.length > 0 ? [`${questions.length} waiting for you`] : []),
  ];
  const state = `${project}: ${parts.join(', ')}`;
  if (questions.length > 0) return { state, next: 'harness inbox' };
  if (hints[0] !== undefined) return { state, next: hints[0] };
  if (active.length > 0) return { state, next: 'harness status' };
  if (next) return { state, next: `harness run   (task ${next.id}: ${next.title})` };
  return { state, next: counts.landed === total ? 'harness add "…", or harness report' : 'harness status' };
}
