import { type CaseDef, cheat, honest, write } from '../case.ts';
import type { Kit } from '../kits/kit.ts';

const done = (kit: Kit) => write(kit.src('discount'), kit.product.honest);

const getComments = (kit: Kit, lines: number) =>
  (kit.runner === 'pytest' ? '# more\n' : '// more\n').repeat(lines);

/** A project with a type checker. */
const withTypes = {
  files: {
    'tsconfig.json':
      '{ "compilerOptions": { "noEmit": true, "strict": true, "skipLibCheck": true, "types": [] }, "include": ["src"] }\n',
    'src/rates.ts': 'export const RATE: number = 7;\n',
  },
  config: {
    testing: { sanity: { type_check: 'node_modules/.bin/tsc -p .' } },
    quality: { type_check_blocks: true },
  },
};

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
  cheat('types that do not fit', {
    runners: ['vitest'],
    witnessOf: 'types',
    play: kit => ({
      ...withTypes,
      moves: [done(kit), write('src/codes.ts', 'export const PERCENT: number = "ten";\n')],
    }),
  }),
  cheat('types that do not fit, hidden from the type check', {
    runners: ['vitest'],
    play: kit => ({
      ...withTypes,
      moves: [
        done(kit),
        write('src/codes.ts', 'export const PERCENT: number = "ten";\n'),
        write(
          'tsconfig.json',
          '{ "compilerOptions": { "noEmit": true, "strict": true, "types": [] }, "files": ["src/rates.ts"] }\n',
        ),
      ],
    }),
  }),
  cheat('a file that nobody can read any more', {
    runners: ['node', 'pytest'],
    witnessOf: 'size',
    play: kit => ({
      config: { quality: { max_file_lines: 200, size_blocks: true } },
      moves: [write(kit.src('discount'), `${kit.product.honest}${getComments(kit, 300)}`)],
    }),
  }),
  honest('types that fit', {
    runners: ['vitest'],
    play: kit => ({
      ...withTypes,
      moves: [done(kit), write('src/codes.ts', 'export const PERCENT: number = 10;\n')],
    }),
  }),
  honest('a file that grows within its limits', {
    runners: ['node'],
    play: kit => ({
      config: { quality: { max_file_lines: 200, size_blocks: true } },
      moves: [write(kit.src('discount'), `${kit.product.honest}${getComments(kit, 100)}`)],
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
