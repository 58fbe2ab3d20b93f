import { toCommonJs } from './common-js.ts';
import { CART_TESTS, getCommonFiles, JS_FILES, JS_PRODUCT, MONEY_TESTS } from './js-product.ts';
import type { Kit, Runner, TestSpec, TestStyle } from './kit.ts';

/** How one runner's tests are written. */
interface Dialect {
  readonly runner: Runner;
  readonly type: 'module' | 'commonjs';
  readonly head: string;
  readonly one: (file: string) => string;
  readonly full: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly assert: (got: string, want: string) => string;
  readonly refute: (got: string, want: string) => string;
  readonly word: Readonly<Record<TestStyle, string>>;
}

const ASSERT = {
  assert: (got: string, want: string) => `assert.equal(${got}, ${want});`,
  refute: (got: string, want: string) => `assert.notEqual(${got}, ${want});`,
};
const EXPECT = {
  assert: (got: string, want: string) => `expect(${got}).toBe(${want});`,
  refute: (got: string, want: string) => `expect(${got}).not.toBe(${want});`,
};
const WORDS = {
  plain: 'test',
  skip: 'test.skip',
  only: 'test.only',
  todo: 'test.todo',
  inverted: 'test',
  empty: 'test',
  swallowed: 'test',
} as const;
const IT_WORDS = {
  ...WORDS,
  plain: 'it',
  skip: 'it.skip',
  only: 'it.only',
  todo: 'it.skip',
  inverted: 'it',
  empty: 'it',
  swallowed: 'it',
};

/** The JavaScript samples; `modules` holds the installed runners, linked into each tree. */
export function createJsKit(runner: Runner, modules: string): Kit {
  const dialect = getDialect(runner, modules);
  const code = (text: string) => (dialect.type === 'commonjs' ? toCommonJs(text) : text);
  const suite = (
    imports: Readonly<Record<string, readonly string[]>>,
    tests: readonly TestSpec[],
    style: TestStyle = 'plain',
  ) => code(getSuite(dialect, imports, tests, style));
  const test = (name: string) => `test/${name}.test.js`;
  return {
    runner,
    code,
    suite,
    test,
    src: name => `src/${name}.js`,
    one: dialect.one,
    full: dialect.full,
    config: { ...dialect.config, quality: { lint_command: 'node tools/lint.cjs' } },
    product: {
      ...JS_PRODUCT,
      honest: code(JS_PRODUCT.honest),
      byHeart: code(JS_PRODUCT.byHeart),
      idle: code(JS_PRODUCT.idle),
      brokenCart: code(JS_PRODUCT.brokenCart),
    },
    files: {
      ...getCommonFiles(dialect.type),
      ...Object.fromEntries(Object.entries(JS_FILES).map(([path, text]) => [path, code(text)])),
      [test('cart')]: suite({ cart: ['addItem', 'createCart', 'getTotal'] }, CART_TESTS),
      [test('money')]: suite({ money: ['format'] }, MONEY_TESTS),
      [test('discount')]: suite({ discount: ['getDiscounted'] }, JS_PRODUCT.approved),
    },
  };
}

function getDialect(runner: Runner, modules: string): Dialect {
  const install = {
    install: `mkdir -p node_modules && ln -sfn ${modules}/* ${modules}/.bin node_modules/`,
  };
  const getConfig = (full: string, feature: string, environment = {}) => ({
    testing: { runner, full, feature, timeout_seconds: 60 },
    environment,
  });
  const bin = `node_modules/.bin/${runner}`;
  switch (runner) {
    case 'vitest': {
      const full = `${bin} run`;
      const head = `import { expect, test } from 'vitest';\n`;
      return {
        ...{ runner, type: 'module', head, full, word: WORDS, ...EXPECT },
        one: file => `${full} ${file}`,
        config: getConfig(full, `${full} {file}`, install),
      };
    }
    case 'jest':
      return {
        ...{ runner, type: 'commonjs', head: '', full: bin, word: WORDS, ...EXPECT },
        one: file => `${bin} ${file}`,
        config: getConfig(bin, `${bin} {file}`, install),
      };
    case 'mocha': {
      const full = `${bin} 'test/**/*.test.js'`;
      return {
        ...{
          runner,
          type: 'module',
          head: `import assert from 'node:assert/strict';\n`,
          full,
          word: IT_WORDS,
          ...ASSERT,
        },
        one: file => `${bin} ${file}`,
        config: getConfig(full, `${bin} {file}`, install),
      };
    }
    default: {
      const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n`;
      return {
        ...{ runner, type: 'module', head, full: 'node --test', word: WORDS, ...ASSERT },
        one: file => `node --test ${file}`,
        config: getConfig('node --test', 'node --test {file}'),
      };
    }
  }
}

function getSuite(
  dialect: Dialect,
  imports: Readonly<Record<string, readonly string[]>>,
  tests: readonly TestSpec[],
  style: TestStyle,
): string {
  const lines = Object.entries(imports).map(
    ([name, names]) => `import { ${names.join(', ')} } from '../src/${name}.js';\n`,
  );
  const bodies = tests.map(([title, pairs]) => {
    const asserts = pairs.map(
      ([got, want]) => `  ${style === 'inverted' ? dialect.refute(got, want) : dialect.assert(got, want)}\n`,
    );
    const inner = asserts.join('');
    if (style === 'todo') return `${dialect.word.todo}('${title}');\n`;
    const body = style === 'empty' ? '' : style === 'swallowed' ? `  try {\n${inner}  } catch {}\n` : inner;
    return `${dialect.word[style]}('${title}', () => {\n${body}});\n`;
  });
  return `${dialect.head}${lines.join('')}\n${bodies.join('\n')}`;
}
