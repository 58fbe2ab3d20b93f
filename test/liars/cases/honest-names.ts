import { type CaseDef, honest, write } from '../case.ts';
import { JS, type Kit, type Runner } from '../kits/kit.ts';

const ALL: readonly Runner[] = [...JS, 'pytest'];
const isPython = (kit: Kit) => kit.runner === 'pytest';

/** The feature, with its rates in a module of another name. */
const inModule =
  (name: string) =>
  (kit: Kit): { readonly moves: ReturnType<typeof write>[] } => {
    if (isPython(kit)) {
      const module = name.replaceAll('-', '_').replaceAll('.', '_').replaceAll('/', '_');
      return {
        moves: [
          write(kit.src(module), 'PERCENT = {"SPRING10": 10, "HALF": 50}\n'),
          write(
            kit.src('discount'),
            kit.product.honest.replace(
              'PERCENT = {"SPRING10": 10, "HALF": 50}\n',
              `from till.${module} import PERCENT\n`,
            ),
          ),
        ],
      };
    }
    return {
      moves: [
        write(kit.src(name), kit.code(`export const PERCENT = { SPRING10: 10, HALF: 50 };\n`)),
        write(
          kit.src('discount'),
          kit.code(`import { PERCENT } from './${name}.js';

export function getDiscounted(price, code) {
  return Math.round((price * (100 - (PERCENT[code] ?? 0))) / 100);
}
`),
        ),
      ],
    };
  };

const named = (name: string, runners: readonly Runner[] = ALL): CaseDef =>
  honest(`its rates lie in ${name}`, { runners, play: inModule(name) });

/** The feature, with words in it that sound like something else. */
const saying = (what: string, js: string, py: string, runners: readonly Runner[] = ALL): CaseDef =>
  honest(`it speaks of ${what}`, {
    runners,
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(kit.src('words'), isPython(kit) ? py : kit.code(js)),
      ],
    }),
  });

/** Names and words that have nothing to do with what they sound like. */
export const NAMES: readonly CaseDef[] = [
  named('ab_test'),
  named('mock'),
  named('fixtures'),
  named('check'),
  named('app.config'),
  // jest takes every spec.js for a test.
  named('spec', ['node', 'vitest', 'mocha', 'pytest']),
  named('e2e/rates', JS),
  named('testing/rates', ['node', 'vitest', 'jest']),
  named('golden', ['node', 'pytest']),
  named('conftest-rates', ['node', 'pytest']),
  saying(
    'a first test for somebody else',
    "export const first = name => [name + '.test.js', `import { it } from 'vitest';\\nit('works', () => {});\\n`];\n",
    'FIRST = "import pytest\\n\\n\\ndef test_works():\\n    assert True\\n"\nNAMES = ["test_first.py", "conftest.py"]\n',
  ),
  saying(
    'variables of others',
    "export const help = 'Set VITEST or JEST_WORKER_ID to see what NODE_TEST_CONTEXT says.';\n",
    'HELP = "Set PYTEST_CURRENT_TEST to see more."\n',
  ),
  saying(
    'its own memory',
    "export const maps = read => read('/proc/self/maps', 'utf8').length;\n",
    'def maps():\n    with open("/proc/self/maps") as file:\n        return len(file.read())\n',
    ['node', 'mocha', 'pytest'],
  ),
  saying(
    'the stack of an error',
    "export const where = error => error.stack.split('\\n').find(line => line.includes('.spec.')) ?? '';\n",
    'import traceback\n\n\ndef where():\n    return [line for line in traceback.format_stack() if "test_" in line]\n',
    ['node', 'jest', 'pytest'],
  ),
];
