import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from './project.ts';
import { runHarness, startHarness } from './run-harness.ts';
import { type Sample, watchProcess } from './watch-process.ts';

export interface Night {
  readonly kills: number;
  readonly runs: number;
  readonly answered: number;
  /** Of the last run that nobody killed and that had work to do. */
  readonly samples: readonly Sample[];
  readonly exitCode: number | null;
  /** Bytes that the harness keeps outside of the project, in the middle of the night and at its end. */
  readonly disk: readonly [number, number];
}

export interface NightOptions {
  readonly kills: number;
  /** Between two kills, at least and at most. */
  readonly calmMs: readonly [number, number];
  readonly random: () => number;
  readonly say: (text: string) => void;
}

const MAX_RUNS_AFTER = 6;

/** Runs the harness, shoots it again and again, then lets it work, and answers its questions when all else is done. */
export async function playNight(project: Project, options: NightOptions): Promise<Night> {
  let [runs, kills, answered] = [0, 0, 0];
  let samples: readonly Sample[] = [];
  let exitCode: number | null = null;
  while (kills < options.kills) {
    const [min, max] = options.calmMs;
    const killed = await runAndKill(project, min + options.random() * (max - min));
    runs++;
    if (!killed) break;
    kills++;
    if (kills % 5 === 0) options.say(`${kills} kills, ${await count(project)}`);
  }
  const halfway = getSize(join(project.dir, 'cache'));
  for (let i = 0; i < MAX_RUNS_AFTER; i++) {
    const { child, ended } = startHarness(project, ['run', '--all', '--json']);
    const watch = watchProcess(child.pid ?? 0);
    exitCode = (await ended).code;
    const seen = watch.stop();
    if (seen.length > samples.length) samples = seen;
    runs++;
    options.say(`run ${runs} ended with ${exitCode}, ${await count(project)}`);
    const given = await answerAgents(project);
    answered += given;
    if (given === 0) break;
  }
  const disk = [halfway, getSize(join(project.dir, 'cache'))] as const;
  return { kills, runs, answered, samples, exitCode, disk };
}

async function runAndKill(project: Project, afterMs: number): Promise<boolean> {
  const { child, ended } = startHarness(project, ['run', '--all', '--json']);
  const over = new AbortController();
  void sleep(afterMs, undefined, { signal: over.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  const { signal } = await ended;
  over.abort();
  return signal === 'SIGKILL';
}

interface Asked {
  readonly id: string;
  readonly kind: string;
}

/** What an agent asked is answered; what is put before a person for good stays there. */
async function answerAgents(project: Project): Promise<number> {
  const { stdout } = await runHarness(project, ['inbox', '--json']);
  const { questions } = JSON.parse(stdout) as { questions: readonly Asked[] };
  const asked = questions.filter(({ kind }) => kind === 'agent');
  for (const { id } of asked) {
    const { code, stderr } = await runHarness(project, ['answer', id, '--text', 'as the spec says']);
    if (code !== 0) throw new Error(`question ${id} could not be answered: ${stderr}`);
  }
  return asked.length;
}

async function count(project: Project): Promise<string> {
  const { stdout } = await runHarness(project, ['status', '--json']);
  const { counts } = JSON.parse(stdout) as { counts?: Record<string, number> };
  return JSON.stringify(counts);
}

function getSize(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + getSize(join(path, name)), 0);
}
