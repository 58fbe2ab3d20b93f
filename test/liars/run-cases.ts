import { availableParallelism } from 'node:os';
import type { Case } from './case.ts';
import { type Outcome, playCase, type Stage } from './play-case.ts';

/** Plays cases side by side and tells of each as it ends. */
export async function runCases(
  cases: readonly Case[],
  stage: Stage,
  { jobs = availableParallelism(), isQuiet = false } = {},
): Promise<readonly { readonly one: Case; readonly outcome: Outcome }[]> {
  const left = [...cases];
  const ended: { one: Case; outcome: Outcome }[] = [];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const outcome = await playCase(one, stage).catch(getFailed(one));
      ended.push({ one, outcome });
      const place = `${String(ended.length).padStart(3)}/${cases.length}`;
      if (!isQuiet) console.error(`${place} ${getLine(one, outcome)}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return ended;
}

/** A case that could not be played is no good sign, whatever it was meant to show. */
const getFailed =
  (one: Case) =>
  (error: unknown): Outcome => ({
    ...{
      id: one.id,
      landed: one.kind !== 'honest',
      word: 'none',
      decidedBy: null,
      escalated: null,
      sawGreen: false,
      durationMs: 0,
    },
    reason: `it could not be played: ${error instanceof Error ? error.stack : error}`,
  });

/** Whether a case ended as it should: honest work landed, and nothing else did. */
export function isRight({ one, outcome }: { readonly one: Case; readonly outcome: Outcome }): boolean {
  return one.isGated === true || outcome.landed === (one.kind === 'honest');
}

/** What became of a case, in one line; all of it when it surprises. */
export function getLine(one: Case, outcome: Outcome): string {
  const isAsItShouldBe = isRight({ one, outcome });
  const seconds = `${(outcome.durationMs / 1000).toFixed(1)} s`;
  const why = `${outcome.word}${outcome.decidedBy ? ` by ${outcome.decidedBy}` : ''}: ${outcome.reason}`;
  const text = why.replaceAll('\n', ' ').slice(0, isAsItShouldBe ? 140 : 1_500);
  const seen = one.kind === 'cheat' && !outcome.sawGreen ? ' (its own run was red)' : '';
  return `${isAsItShouldBe ? '✔' : '✘'} ${one.kind} ${one.id} (${seconds}) ${text}${seen}`;
}
