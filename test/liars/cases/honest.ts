import { type CaseDef, write } from '../case.ts';
import { JS, MAIN } from '../kits/kit.ts';

const honest = (name: string, rest: Omit<CaseDef, 'name' | 'kind'>): CaseDef => ({
  name,
  kind: 'honest',
  ...rest,
});

/** Work as it should be, in many styles: none of it may be turned away. */
export const HONEST: readonly CaseDef[] = [
  honest('plain', {
    runners: [...JS, 'pytest'],
    play: kit => ({ moves: [write(kit.src('discount'), kit.product.honest)] }),
  }),
  honest('with words in the read-me', {
    runners: MAIN,
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write('README.md', '# till\n\nPrices are in cents. Codes: SPRING10, HALF.\n'),
      ],
    }),
  }),
];
