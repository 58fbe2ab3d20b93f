import { expect, test } from 'vitest';
import type { AgentMode } from '../../../ports/index.ts';
import { createEmptyTurns } from './ending.ts';

const [EMPTY, WORK] = [true, false];

test.each<[string, AgentMode, boolean[], boolean[]]>([
  ['work is not asked to go on', 'exec', [WORK], [false]],
  ['the third empty turn in a row is the last', 'exec', [EMPTY, EMPTY, EMPTY], [true, true, false]],
  ['work in between starts anew', 'exec', [EMPTY, EMPTY, WORK, EMPTY], [true, true, false, true]],
  ['a review is asked like work', 'review', [EMPTY], [true]],
  ['an answer is not asked for twice', 'complete', [EMPTY], [false]],
])('%s', (_, mode, turns, asked) => {
  const goesOn = createEmptyTurns(mode);
  expect(turns.map(goesOn)).toEqual(asked);
});
