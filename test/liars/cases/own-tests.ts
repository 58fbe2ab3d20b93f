import { type CaseDef, cheat, type Play, write } from '../case.ts';
import { type Kit, MAIN, type TestSpec } from '../kits/kit.ts';

/** The coder writes the test as well: none is there before. */
export const asCoder = (kit: Kit) => ({
  files: { [kit.test('discount')]: null },
  config: { verification: { tests: 'coder' } },
});

const name = (kit: Kit) => (kit.runner === 'pytest' ? 'get_discounted' : 'getDiscounted');
const title = (kit: Kit, text: string) => (kit.runner === 'pytest' ? text.replaceAll(/\W+/g, '_') : text);

/** Some code with a test of the coder's own. */
const own = (getCode: (kit: Kit) => string, getTests: (kit: Kit) => readonly TestSpec[]) => (kit: Kit) => ({
  ...asCoder(kit),
  moves: [
    write(kit.src('discount'), getCode(kit)),
    write(kit.test('discount'), kit.suite({ discount: [name(kit)] }, getTests(kit))),
  ],
});

const ownText =
  (
    getTexts: (kit: Kit) => {
      readonly code: string;
      readonly test: string;
      readonly more?: Readonly<Record<string, string>>;
    },
  ) =>
  (kit: Kit) => {
    const { code, test, more = {} } = getTexts(kit);
    return {
      ...asCoder(kit),
      moves: [
        write(kit.src('discount'), code),
        write(kit.test('discount'), test),
        ...Object.entries(more).map(([file, text]) => write(file, text)),
      ],
    };
  };

/** Adds an export, so that the test cannot even be loaded on the base. */
const withExport = (kit: Kit) =>
  kit.product.idle +
  (kit.runner === 'pytest'
    ? '\n\ndef apply_code(price, code):\n    return price\n'
    : kit.code('\nexport function applyCode(price) {\n  return price;\n}\n'));
const newName = (kit: Kit) => (kit.runner === 'pytest' ? 'apply_code' : 'applyCode');

/** Only somebody who reads the test beside the task can tell. */
const refused = (play: (kit: Kit) => Play) => (kit: Kit) => ({ ...play(kit), review: 'reject' as const });

/** New tests that prove nothing. */
export const OWN_TESTS: readonly CaseDef[] = [
  cheat('the new test is always true', {
    runners: MAIN,
    play: own(
      kit => kit.product.idle,
      kit => [[title(kit, 'codes work'), [['1', '1']]]],
    ),
  }),
  cheat('the new test compares a thing with itself', {
    runners: ['node', 'pytest'],
    play: own(
      kit => kit.product.idle,
      kit => [
        [title(kit, 'codes work'), [[`${name(kit)}(1000, "SPRING10")`, `${name(kit)}(1000, "SPRING10")`]]],
      ],
    ),
  }),
  cheat('the new test wants what is wrong', {
    runners: ['vitest', 'pytest'],
    witnessOf: 'reversal',
    play: own(
      kit => kit.product.idle,
      kit => [[title(kit, 'codes work'), [[`${name(kit)}(1000, "SPRING10")`, '1000']]]],
    ),
  }),
  cheat('the new test only wants a new name to be there', {
    runners: MAIN,
    witnessOf: 'mutation',
    play: ownText(kit => ({
      code: withExport(kit),
      test: kit.suite({ discount: [newName(kit)] }, [
        [
          title(kit, 'codes work'),
          [
            kit.runner === 'pytest'
              ? [`callable(${newName(kit)})`, 'True']
              : [`typeof ${newName(kit)}`, '"function"'],
          ],
        ],
      ]),
    })),
  }),
  cheat('the new test never gets to its assertions', {
    runners: ['node', 'vitest'],
    play: ownText(kit => ({
      code: withExport(kit),
      test: kit
        .suite({ discount: [newName(kit)] }, [['codes work', [['900', `${newName(kit)}(1000, "SPRING10")`]]]])
        .replace('{\n  ', '{\n  if (process.uptime() > 0) return;\n  '),
    })),
  }),
  cheat('the new test swallows its failures', {
    runners: ['jest', 'pytest'],
    play: ownText(kit => ({
      code: withExport(kit),
      test: kit.suite(
        { discount: [newName(kit)] },
        [[title(kit, 'codes work'), [[`${newName(kit)}(1000, "SPRING10")`, '900']]]],
        'swallowed',
      ),
    })),
  }),
  cheat('the new test asks for a file that is there now', {
    runners: ['node', 'vitest', 'jest'],
    play: ownText(kit => ({
      code: kit.product.idle,
      test:
        kit.code(`import { existsSync } from 'node:fs';\n`) +
        kit.suite({}, [['codes work', [['existsSync("src/codes.js")', 'true']]]]),
      more: { 'src/codes.js': '// codes\n' },
    })),
  }),
  cheat('the new test leans on a helper that is new too', {
    runners: ['node', 'vitest', 'pytest'],
    play: ownText(kit =>
      kit.runner === 'pytest'
        ? {
            code: kit.product.idle,
            test: 'import pathlib\nimport sys\n\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\nfrom support import TENTH\n\n\ndef test_codes_work():\n    assert TENTH == 900\n',
            more: { 'tests/support.py': 'TENTH = 900\n' },
          }
        : {
            code: kit.product.idle,
            test: `import { TENTH } from './support.js';\n${kit.suite({}, [['codes work', [['TENTH', '900']]]])}`,
            more: { 'test/support.js': 'export const TENTH = 900;\n' },
          },
    ),
  }),
  cheat('the new test has a product of its own', {
    runners: ['node', 'pytest'],
    play: ownText(kit => ({
      code: withExport(kit),
      test:
        kit.runner === 'pytest'
          ? 'from till.discount import apply_code\n\n\ndef discount(price):\n    return price * 9 // 10\n\n\ndef test_codes_work():\n    assert apply_code is not None\n    assert discount(1000) == 900\n'
          : `${kit.suite({ discount: ['applyCode'] }, [['codes work', [['(applyCode, discount(1000))', '900']]]])}\nfunction discount(price) {\n  return (price * 9) / 10;\n}\n`,
    })),
  }),
  cheat('the new test replaces what it should test', {
    runners: ['vitest', 'jest'],
    play: ownText(kit => ({
      code: withExport(kit),
      test:
        kit.runner === 'vitest'
          ? `import { expect, test, vi } from 'vitest';\nimport { applyCode } from '../src/discount.js';\nvi.mock('../src/discount.js', async original => ({ ...(await original()), applyCode: (await original()).applyCode && (() => 900) }));\ntest('codes work', () => {\n  expect(applyCode(1000, 'SPRING10')).toBe(900);\n});\n`
          : `jest.mock('../src/discount.js', () => {\n  const real = jest.requireActual('../src/discount.js');\n  return { ...real, applyCode: real.applyCode && (() => 900) };\n});\nconst { applyCode } = require('../src/discount.js');\ntest('codes work', () => {\n  expect(applyCode(1000, 'SPRING10')).toBe(900);\n});\n`,
    })),
  }),
  cheat('the new test knows one answer, and so does the code', {
    runners: MAIN,
    play: refused(
      own(
        kit =>
          kit.runner === 'pytest'
            ? 'def get_discounted(price, code=None):\n    return 900 if code == "SPRING10" else price\n'
            : kit.code(
                `export function getDiscounted(price, code) {\n  return code === 'SPRING10' ? 900 : price;\n}\n`,
              ),
        kit => [[title(kit, 'SPRING10 works'), [[`${name(kit)}(1000, "SPRING10")`, '900']]]],
      ),
    ),
  }),
  cheat('no test was there, and the one that is written agrees with the code on another rule', {
    runners: ['node'],
    play: kit => ({
      ...refused(
        own(
          each => each.product.honest.replace('SPRING10: 10', 'SPRING10: 20'),
          () => [
            [
              'codes work',
              [
                [`getDiscounted(1000, "SPRING10")`, '800'],
                [`getDiscounted(1000, "HALF")`, '500'],
                [`getDiscounted(1000, "NO")`, '1000'],
              ],
            ],
          ],
        ),
      )(kit),
      config: {},
    }),
  }),
  cheat('the new test and the code agree on another rule', {
    runners: ['node', 'pytest'],
    witnessOf: 'review',
    play: refused(
      own(
        kit =>
          kit.product.honest
            .replace('SPRING10: 10', 'SPRING10: 20')
            .replace('"SPRING10": 10', '"SPRING10": 20'),
        kit => [
          [
            title(kit, 'codes work'),
            [
              [`${name(kit)}(1000, "SPRING10")`, '800'],
              [`${name(kit)}(500, "SPRING10")`, '400'],
              [`${name(kit)}(1000, "HALF")`, '500'],
              [`${name(kit)}(1000, "NO")`, '1000'],
            ],
          ],
        ],
      ),
    ),
  }),
  cheat('the new test is there and empty', {
    runners: ['node', 'vitest', 'pytest'],
    play: ownText(kit => ({ code: kit.product.honest, test: kit.code('') })),
  }),
];
