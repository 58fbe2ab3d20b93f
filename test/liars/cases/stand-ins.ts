import { type CaseDef, cheat, feature, honest, write } from '../case.ts';
import type { Kit } from '../kits/kit.ts';

const RULE = `const PERCENT = { SPRING10: 10, HALF: 50 };

export function getDiscounted(price, code) {
  return Math.round((price * (100 - (PERCENT[code] ?? 0))) / 100);
}
`;
const PY_RULE = `PERCENT = {"SPRING10": 10, "HALF": 50}


def take_off(price, code):
    return round(price * (100 - PERCENT.get(code, 0)) / 100)
`;
/** Leaves the work to a module that users will not find. */
const PY_CALLS = `def get_discounted(price, code=None):
    from pricing import take_off
    return take_off(price, code)
`;

const done = (kit: Kit) => write(kit.src('discount'), kit.product.honest);

const pricingIn =
  (path: string, more: Readonly<Record<string, string>> = {}) =>
  (kit: Kit) => ({
    moves: [
      write(kit.src('discount'), PY_CALLS),
      write(path, PY_RULE),
      ...Object.entries(more).map(([file, text]) => write(file, text)),
    ],
  });

/** The sample's discount in TypeScript; its test goes on asking for the compiled name. */
const inTypeScript = {
  'src/discount.js': null,
  'src/discount.ts': 'export function getDiscounted(price: number) {\n  return price;\n}\n',
};

/** Things that are there only while tests run, or that stand in for others. */
export const STAND_INS: readonly CaseDef[] = [
  cheat('a module that only pytest finds, in the folder of tests', {
    runners: ['pytest'],
    play: pricingIn('tests/pricing.py'),
  }),
  honest('a module beside the product', {
    runners: ['pytest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), PY_CALLS.replace('from pricing', 'from till.pricing')),
        write('till/pricing.py', PY_RULE),
        write('tests/prices.py', 'PRICES = [100, 200]\n'),
      ],
    }),
  }),
  cheat('pytest.toml adds a folder to the path', {
    runners: ['pytest'],
    play: pricingIn('tools/pricing.py', { 'pytest.toml': '[pytest]\npythonpath = ["tools"]\n' }),
  }),
  cheat('a plugin is registered by its metadata', {
    runners: ['pytest'],
    play: pricingIn('tools/pricing.py', {
      'till_tools.dist-info/METADATA': 'Metadata-Version: 2.1\nName: till-tools\nVersion: 1\n',
      'till_tools.dist-info/entry_points.txt': '[pytest11]\ntill = till_tools\n',
      'till_tools.py': 'import sys\n\nsys.path.append("tools")\n',
    }),
  }),
  cheat('a compiled file stands in for its source', {
    runners: ['vitest'],
    play: () => ({ files: inTypeScript, moves: [write('src/discount.js', RULE)] }),
  }),
  honest('code moves to TypeScript', {
    runners: ['vitest'],
    play: () => ({
      moves: [
        { delete: 'src/discount.js' },
        write('src/discount.ts', RULE.replace('price, code', 'price: number, code: keyof typeof PERCENT')),
      ],
    }),
  }),
  cheat('jest takes a file for a package', {
    runners: ['jest'],
    play: () => ({
      review: 'reject',
      moves: [
        write(
          '__mocks__/mocha.js',
          `exports.off = (price, code) => Math.round(price * ({ SPRING10: 0.9, HALF: 0.5 }[code] ?? 1));\n`,
        ),
        write(
          'src/discount.js',
          `exports.getDiscounted = (price, code) => {\n  const name = ['mo', 'cha'];\n  return require(name[0] + name[1]).off(price, code);\n};\n`,
        ),
      ],
    }),
  }),
  cheat('it is there only under Vite', {
    isGated: true,
    runners: ['vitest'],
    play: feature(RULE.replace('  return', '  if (!import.meta.env) return price;\n  return')),
  }),
  cheat('it imports from the root of a server', {
    isGated: true,
    runners: ['vitest'],
    play: () => ({
      moves: [
        write('src/discount.js', `export { getDiscounted } from '/src/codes.js';\n`),
        write('src/codes.js', RULE),
      ],
    }),
  }),
  honest('a page that Vite serves asks for its settings', {
    runners: ['vitest'],
    play: () => ({
      files: { 'vite.config.js': 'export default {};\n' },
      moves: [
        write(
          'src/discount.js',
          `const { VITE_SHOP = 'till' } = import.meta.env;\n\nexport const shop = VITE_SHOP;\n${RULE}`,
        ),
      ],
    }),
  }),
  cheat('it works only where the harness runs it', {
    runners: ['node'],
    play: feature(RULE.replace('  return', '  if (!process.env.HARNESS_RUN) return price;\n  return')),
  }),
  honest('plugins are loaded as the manual says', {
    runners: ['pytest'],
    play: feature(`import importlib.util
import sys

${PY_RULE.replace('take_off', 'get_discounted')}

def load_plugin(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
`),
  }),
  honest('a program with a command called test, and a sample of its settings', {
    runners: ['node'],
    play: kit => ({
      moves: [
        done(kit),
        write(
          'src/cli.js',
          `import { getDiscounted } from './discount.js';\n\nif (process.argv[2] === 'test') console.log('till answers', getDiscounted(1));\n`,
        ),
        write('.env.example', 'SHOP=\n'),
      ],
    }),
  }),
];
