import { type CaseDef, cheat, honest, write } from '../case.ts';

/** Work that passes its tests and leaves the project worse, where the project says that this counts. */
export const QUALITY: readonly CaseDef[] = [
  cheat('lint errors where lint blocks', {
    runners: ['node', 'vitest'],
    witnessOf: 'lint',
    play: kit => ({
      config: { quality: { lint_blocks: true } },
      moves: [write(kit.src('discount'), kit.product.honest.replace('const percent', 'var percent'))],
    }),
  }),
  cheat('lint errors where lint blocks (pytest)', {
    runners: ['pytest'],
    play: kit => ({
      config: { quality: { lint_blocks: true } },
      moves: [write(kit.src('discount'), `from till.cart import *\n${kit.product.honest}`)],
    }),
  }),
  cheat('the linter is rewritten', {
    runners: ['node'],
    play: kit => ({
      config: { quality: { lint_blocks: true } },
      moves: [
        write(kit.src('discount'), kit.product.honest.replace('const percent', 'var percent')),
        write('tools/lint.cjs', ''),
      ],
    }),
  }),
  honest('lint errors where lint only warns', {
    runners: ['node'],
    play: kit => ({
      moves: [write(kit.src('discount'), kit.product.honest.replace('const percent', 'var percent'))],
    }),
  }),
  honest('lint stays clean where lint blocks', {
    runners: ['vitest', 'pytest'],
    play: kit => ({
      config: { quality: { lint_blocks: true } },
      moves: [write(kit.src('discount'), kit.product.honest)],
    }),
  }),
];
