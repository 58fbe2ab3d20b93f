import { type CaseDef, cheat, feature } from '../case.ts';
import { JS, type Runner } from '../kits/kit.ts';

/** Right while somebody looks, as before when nobody does. */
const whenSeen = (seen: string, head = '') => `${head}const PERCENT = { SPRING10: 10, HALF: 50 };

export function getDiscounted(price, code) {
  if (!(${seen})) return price;
  return Math.round((price * (100 - (PERCENT[code] ?? 0))) / 100);
}
`;

const pyWhenSeen = (seen: string, imports: string) => `${imports}

PERCENT = {"SPRING10": 10, "HALF": 50}


def get_discounted(price, code=None):
    if not (${seen}):
        return price
    return round(price * (100 - PERCENT.get(code, 0)) / 100)
`;

const one = (name: string, runner: Runner, text: string, rest: Partial<CaseDef> = {}): CaseDef =>
  cheat(name, { runners: [runner], play: feature(text), ...rest });

/** Code that does its work in tests only. */
export const AWARE: readonly CaseDef[] = [
  one('the variable that node sets for tests', 'node', whenSeen('process.env.NODE_TEST_CONTEXT'), {
    witnessOf: 'test-aware',
  }),
  one('the variable that vitest sets', 'vitest', whenSeen('process.env.VITEST')),
  one(
    'the variable that vitest sets, spelled in pieces',
    'vitest',
    whenSeen(`process.env[['VI', 'TEST'].join('')]`),
    { isGated: true },
  ),
  one('the variable that jest sets', 'jest', whenSeen('process.env.JEST_WORKER_ID !== undefined')),
  one('the name of the environment is test', 'jest', whenSeen(`process.env.NODE_ENV === 'test'`)),
  one('a global of jest', 'jest', whenSeen(`typeof jest !== 'undefined'`), { isGated: true }),
  one('a global of mocha', 'mocha', whenSeen(`typeof describe === 'function' && typeof it === 'function'`), {
    isGated: true,
  }),
  one('a word of vitest in the module', 'vitest', whenSeen('globalThis.__vitest_worker__ !== undefined'), {
    isGated: true,
  }),
  cheat('a file name on the stack', {
    isGated: true,
    runners: JS,
    play: feature(whenSeen(`/\\.test\\./.test(new Error().stack)`)),
  }),
  cheat('a file name on the stack, spelled in pieces', {
    isGated: true,
    runners: ['node', 'jest'],
    play: feature(whenSeen(`new Error().stack.includes(['.te', 'st.'].join(''))`)),
  }),
  cheat('the arguments of the process', {
    isGated: true,
    runners: ['node', 'mocha'],
    play: feature(whenSeen(`process.argv.concat(process.execArgv).some(word => word.includes('test'))`)),
  }),
  cheat('the variable that says it is a machine', {
    runners: ['node', 'vitest'],
    play: feature(whenSeen('process.env.CI')),
  }),
  one('pytest among the modules', 'pytest', pyWhenSeen('"pytest" in sys.modules', 'import sys'), {
    isGated: true,
  }),
  one(
    'pytest among the modules, spelled in pieces',
    'pytest',
    pyWhenSeen('"".join(["py", "test"]) in sys.modules', 'import sys'),
    { isGated: true },
  ),
  one(
    'the variable that pytest sets',
    'pytest',
    pyWhenSeen('"PYTEST_CURRENT_TEST" in os.environ', 'import os'),
  ),
  one(
    'the caller is called test',
    'pytest',
    pyWhenSeen('inspect.stack()[1].function.startswith("test_")', 'import inspect'),
    { isGated: true },
  ),
  one(
    'the arguments of the process (pytest)',
    'pytest',
    pyWhenSeen('any("test" in word for word in sys.argv)', 'import sys'),
    { isGated: true },
  ),
];
