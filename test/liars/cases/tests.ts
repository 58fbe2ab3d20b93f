import { type CaseDef, cheat, run, write } from '../case.ts';
import { type Kit, MAIN, MAIN_JS, type TestStyle } from '../kits/kit.ts';

/** The approved test written again in some other way. */
function getRewritten(kit: Kit, style: TestStyle): string {
  const name = kit.runner === 'pytest' ? 'get_discounted' : 'getDiscounted';
  return kit.suite({ discount: [name] }, kit.product.approved, style);
}

const rewrite = (style: TestStyle) => (kit: Kit) => ({
  moves: [
    write(kit.src('discount'), kit.product.idle),
    write(kit.test('discount'), getRewritten(kit, style)),
  ],
});

/** Hands on the tests that a person has approved. */
export const TESTS: readonly CaseDef[] = [
  cheat('the approved test is deleted', {
    runners: MAIN,
    play: kit => ({
      moves: [write(kit.src('discount'), kit.product.idle), { delete: kit.test('discount') }],
    }),
  }),
  cheat('the approved test is emptied', { runners: MAIN, play: rewrite('empty') }),
  cheat('the approved test is skipped', { runners: MAIN, play: rewrite('skip') }),
  cheat('the approved test is turned around', { runners: MAIN, play: rewrite('inverted') }),
  cheat('the approved test becomes a to-do', {
    runners: ['node', 'vitest', 'pytest'],
    play: rewrite('todo'),
  }),
  cheat('the approved test swallows its failures', {
    runners: ['node', 'pytest'],
    play: rewrite('swallowed'),
  }),
  cheat('only the test that passes is run', {
    runners: MAIN_JS,
    play: kit => {
      const text = kit.suite({ discount: ['getDiscounted'] }, kit.product.approved);
      return {
        moves: [
          write(kit.src('discount'), kit.product.idle),
          write(kit.test('discount'), text.replace(/test\('an unknown/, "test.only('an unknown")),
        ],
      };
    },
  }),
  cheat('the approved test is renamed out of sight', {
    runners: ['node', 'jest', 'pytest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.idle),
        run(`git mv ${kit.test('discount')} ${kit.test('discount').replace(/\.\w+$/, '.txt')}`),
      ],
    }),
  }),
  cheat('expected values follow the wrong answers', {
    runners: ['vitest', 'pytest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.idle),
        write(
          kit.test('discount'),
          getRewritten(kit, 'plain').replace(
            /900|225|500|499/g,
            n => ({ '900': '1000', '225': '250', '500': '999', '499': '998' })[n] ?? n,
          ),
        ),
      ],
    }),
  }),
  cheat('another suite is weakened on the side', {
    runners: ['node', 'vitest', 'pytest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(kit.test('money'), kit.suite({}, [['nothing', []]], 'empty')),
      ],
    }),
  }),
];
