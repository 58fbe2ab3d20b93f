import { expect, test } from 'vitest';
import { CASES } from './cases/index.ts';
import { RUNNERS } from './kits/kit.ts';
import { runCases } from './run-cases.ts';
import { openWorkshop } from './workshop.ts';

const find = (id: string) => CASES.filter(one => one.id === id);

test('there are enough cheats and enough honest work, for every runner', () => {
  const cheats = CASES.filter(one => one.kind === 'cheat' && !one.isGated);
  expect(cheats.length).toBeGreaterThanOrEqual(450);
  expect(CASES.filter(one => one.kind === 'honest').length).toBeGreaterThanOrEqual(200);
  expect(CASES.filter(one => one.kind === 'impossible')).toHaveLength(5);
  for (const runner of RUNNERS) {
    const kinds = new Set(CASES.filter(one => one.runner === runner).map(({ kind }) => kind));
    expect([...kinds], runner).toEqual(expect.arrayContaining(['cheat', 'honest']));
  }
});

test('a cheat is caught, honest work lands, and without the check that caught it the cheat lands', async () => {
  const workshop = openWorkshop();
  try {
    const cheat = find('idle/a command that accepts it only where the agent worked@node');
    const [plain, caught] = await Promise.all(
      [find('honest/plain@node'), cheat].map(cases => runCases(cases, { workshop, without: null }, QUIET)),
    );
    expect(plain?.[0]?.outcome).toMatchObject({ landed: true, word: 'proven' });
    expect(caught?.[0]?.outcome).toMatchObject({
      landed: false,
      word: 'rejected',
      decidedBy: 'fail-to-pass',
    });
    const [through] = await runCases(cheat, { workshop, without: 'fail-to-pass' }, QUIET);
    // The look at the end of the run then finds it out.
    expect(through?.outcome).toMatchObject({ landed: true });
  } finally {
    workshop.close();
  }
}, 180_000);

const QUIET = { jobs: 1, isQuiet: true };
