import type { TestRun } from '../../core/model/testing.ts';
import type { CheckContext } from '../shared/context.ts';
import { getGreen } from '../shared/own-tests.ts';
import { type Look, openLook, type Suspect } from './settle-lost.ts';

/** So often must a test in quarantine be red with the change, without one yes, to be called broken. */
const LOOKS = 6;

/**
 * Tests in quarantine that are red for good with the change, and are green more often than not without it. They
 * cannot speak for themselves any more, so a person is asked. One line for each.
 */
export async function findBrokenQuarantined(ctx: CheckContext, run: TestRun): Promise<readonly string[]> {
  const green = getGreen(run);
  const isRed = (id: string) => ctx.quarantine?.has(id) === true && !green.has(id);
  const red = ctx.baseline.passing.filter(id => isRed(id) && run.results.some(result => result.id === id));
  if (red.length === 0 || ctx.policy.reruns === 0) return [];
  const suspects = red.map((id): Suspect => ({ id, candidate: [], base: [], opened: new Set() }));
  const look = await openLook(ctx, suspects);
  const isNeverGreen = (one: Suspect) => countGreen(one, 'candidate') === 0;
  await lookOften(look, 'candidate', () => suspects.some(isNeverGreen));
  if (!suspects.some(isNeverGreen)) return [];
  await lookOften(look, 'base', () => true);
  return suspects
    .filter(one => isNeverGreen(one) && countGreen(one, 'base') * 2 > one.base.length)
    .map(one => {
      const before = `${countGreen(one, 'base')} of ${one.base.length}`;
      return `${one.id} is in quarantine: with the change it passed 0 of ${one.candidate.length} times, without it ${before}`;
    });
}

async function lookOften(look: Look, side: 'candidate' | 'base', isOpen: () => boolean): Promise<void> {
  for (let repeat = 0; repeat < LOOKS && isOpen(); repeat++) await look(side, repeat);
}

function countGreen(suspect: Suspect, side: 'candidate' | 'base'): number {
  return suspect[side].filter(({ outcome }) => outcome === 'passed').length;
}
