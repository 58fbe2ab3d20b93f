import type { Finding } from '../../../src/core/model/finding.ts';
import { found } from '../../support/review-answers.ts';
import { type CaseDef, cheat, honest, type Play, write } from '../case.ts';
import { type Kit, MAIN_JS } from '../kits/kit.ts';

const STEP = 'SPRING10 takes 10 % off any price';
const LINE = 'const percent = PERCENT[code] ?? 0;';
const VISIBLE = '  return price;';

/** A test that a reviewer brings along, which asks for a price that no agent has seen. */
const getTest = (kit: Kit, got: string, want: string): Finding['test'] => ({
  path: kit.test('review'),
  content: kit.suite({ discount: ['getDiscounted'] }, [['any price', [[got, want]]]]),
});

/** Work that a reviewer reads who says this of it. */
const read =
  (getCode: (kit: Kit) => string, getFinding: (kit: Kit) => Partial<Finding>, second?: Play['second']) =>
  (kit: Kit): Play => ({
    config: { verification: { review: 'always' } },
    moves: [write(kit.src('discount'), getCode(kit))],
    review: found({ severity: 'high', file: kit.src('discount'), claim: 'it is wrong', ...getFinding(kit) }),
    ...(second ? { second } : {}),
  });

const reader = (verdict: string, quote: string) => ({ answers: [{ number: 1, verdict, quote }] });

const good = (kit: Kit) => kit.product.honest;
const byHeart = (kit: Kit) => kit.product.byHeart;

/** Reviewers who are wrong, or lie: honest work lands all the same, and what is shown to be wrong does not. */
export const REVIEWERS: readonly CaseDef[] = [
  honest('a reviewer quotes what is nowhere', {
    runners: MAIN_JS,
    play: read(good, () => ({ quote: 'const percent = PERCENT[code] ?? 99;' })),
  }),
  honest('a reviewer whose own test is green', {
    runners: MAIN_JS,
    play: read(good, kit => ({
      quote: LINE,
      criterion: STEP,
      test: getTest(kit, 'getDiscounted(3330, "SPRING10")', '2997'),
    })),
  }),
  honest('a reviewer whose test is red whatever the code does', {
    runners: MAIN_JS,
    play: read(
      good,
      kit => ({
        quote: LINE,
        criterion: STEP,
        test: getTest(kit, '[getDiscounted(1000, "HALF"), 1][1]', '2'),
      }),
      reader('refuted', 'Math.round((price * (100 - percent)) / 100)'),
    ),
  }),
  honest('a reviewer who only has matters of taste', {
    runners: MAIN_JS,
    play: read(good, () => ({ severity: 'low', quote: LINE, claim: 'a map would be nicer' })),
  }),
  cheat('only the prices of the test, and a reviewer shows another', {
    runners: MAIN_JS,
    play: read(byHeart, kit => ({
      ...{ quote: VISIBLE, criterion: STEP },
      test: getTest(kit, 'getDiscounted(3330, "SPRING10")', '2997'),
    })),
  }),
  cheat('only the prices of the test, and a second reader who denies it without a word of the files', {
    runners: MAIN_JS,
    play: read(
      byHeart,
      () => ({ quote: VISIBLE, criterion: STEP }),
      reader('refuted', 'every price is worked out here'),
    ),
  }),
];
