import { RUNNERS } from '../../core/testing/runners.ts';
import type { Edit } from './edits.ts';
import { getChain, getName, getNode, getNodes, type Node } from './js-tree.ts';

/** Which names of a file are test functions and assertions, by its imports or by custom. */
export interface Bindings {
  /** Local names that call a function of an assertion module directly, with the name it has there. */
  readonly assertFunctions: ReadonlyMap<string, string>;
  /** Local names of a whole assertion module. */
  readonly assertModules: ReadonlySet<string>;
  /** Local names of test functions that have been imported under names of their own. */
  readonly testFunctions: ReadonlySet<string>;
}

const ASSERT_MODULE = /^(node:)?assert(\/strict)?$|^(power-assert|uvu\/assert)$/;
const TEST_MODULES: ReadonlySet<string> = new Set(
  Object.values(RUNNERS).flatMap(({ testModules = [] }) => testModules),
);
const TEST_NAMES = new Set(['it', 'test', 'specify', 'default']);
const EXPECT_MATCHERS = new Set([
  ...['toBe', 'toEqual', 'toStrictEqual', 'toHaveLength', 'equal', 'equals', 'eq', 'eql', 'eqls'],
]);
const ASSERT_FUNCTIONS = new Set([
  ...['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'looseEqual', 'is', 'same', 'strictSame'],
]);
const TRUTH_FUNCTIONS = new Set(['ok', 'true', 'isTrue', 'assert']);

/** Reads imports and requires at the top of a test file. */
export function getBindings(root: Node): Bindings {
  const found = {
    assertFunctions: new Map<string, string>(),
    assertModules: new Set<string>(['assert', 't']),
    testFunctions: new Set<string>(),
  };
  const bind = (module: string, local: string, imported: string) => {
    if (ASSERT_MODULE.test(module) || module === 'chai') {
      if (['default', '*', 'strict', 'assert'].includes(imported)) found.assertModules.add(local);
      else found.assertFunctions.set(local, imported);
    } else if (TEST_MODULES.has(module) && TEST_NAMES.has(imported)) found.testFunctions.add(local);
  };
  for (const statement of getNodes(root, 'body')) {
    for (const { module, local, imported } of [...getImports(statement), ...getRequires(statement)])
      bind(module, local, imported);
  }
  return found;
}

interface Binding {
  readonly module: string;
  readonly local: string;
  readonly imported: string;
}

function getImports(statement: Node): readonly Binding[] {
  if (statement.type !== 'ImportDeclaration') return [];
  const module = getName(getNode(statement, 'source')) ?? '';
  return getNodes(statement, 'specifiers').map(each => ({
    module,
    local: getName(getNode(each, 'local')) ?? '',
    imported:
      each.type === 'ImportDefaultSpecifier'
        ? 'default'
        : each.type === 'ImportNamespaceSpecifier'
          ? '*'
          : (getName(getNode(each, 'imported')) ?? ''),
  }));
}

/** `const test = require('node:test')`, `const { strictEqual: same } = require('assert')`. */
function getRequires(statement: Node): readonly Binding[] {
  if (statement.type !== 'VariableDeclaration') return [];
  return getNodes(statement, 'declarations').flatMap(declaration => {
    const init = getNode(declaration, 'init');
    const call = init?.type === 'MemberExpression' ? getNode(init, 'object') : init;
    if (call?.type !== 'CallExpression' || getName(getNode(call, 'callee')) !== 'require') return [];
    const module = getName(getNodes(call, 'arguments')[0] ?? null) ?? '';
    const id = getNode(declaration, 'id');
    const member = init?.type === 'MemberExpression' ? getName(getNode(init, 'property')) : 'default';
    if (id?.type === 'Identifier') return [{ module, local: getName(id) ?? '', imported: member ?? '' }];
    return getNodes(id ?? statement, 'properties').map(each => ({
      module,
      local: getName(getNode(each, 'value')) ?? '',
      imported: getName(getNode(each, 'key')) ?? '',
    }));
  });
}

/** The expected side of an expectation of equality; null for any other call, and behind `.not`. */
export function getExpected(call: Node, bindings: Bindings): Node | null {
  if (call.type !== 'CallExpression') return null;
  const args = getNodes(call, 'arguments');
  const chain = getChain(getNode(call, 'callee'));
  const [first = '', last = ''] = [chain[0], chain.at(-1)];
  if (chain.includes('not') || args.some(arg => arg.type === 'SpreadElement')) return null;
  const isExpectation = (first === 'expect' && chain.includes('()')) || chain.includes('should');
  if (isExpectation) return EXPECT_MATCHERS.has(last) ? (args[0] ?? null) : null;
  const imported = chain.length === 1 ? bindings.assertFunctions.get(first) : undefined;
  const isModule = chain.length > 1 && bindings.assertModules.has(first);
  const name = imported ?? (isModule ? last : chain.length === 1 && first === 'assert' ? 'assert' : null);
  if (name === null || chain.includes('()')) return null;
  if (ASSERT_FUNCTIONS.has(name)) return args.length >= 2 ? (args[1] ?? null) : null;
  return TRUTH_FUNCTIONS.has(name) ? getCompared(args[0]) : null;
}

/** `assert(a === b)`. */
function getCompared(node: Node | undefined): Node | null {
  if (node?.type !== 'BinaryExpression' || !/^={2,3}$/.test(node.operator as string)) return null;
  return getNode(node, 'right');
}

/** What an altered number is away from the true one. */
const OFFSET = 4_211;

/** Puts another value of the same type in the place of an expected one. */
export function getOtherValue(node: Node, text: string, nonce: string, isTypeScript: boolean): Edit {
  const inner = getInner(node);
  if (inner) return getOtherValue(inner, text, nonce, isTypeScript);
  const word = JSON.stringify(nonce);
  const put = (value: string): Edit => ({ start: node.start, end: node.end, text: value });
  switch (node.type) {
    case 'NumericLiteral':
      return put(getOtherNumber(node.value as number));
    case 'UnaryExpression': {
      const value = getNode(node, 'argument')?.value;
      return put(typeof value === 'number' ? getOtherNumber(-value) : word);
    }
    case 'BigIntLiteral':
      return put(`${BigInt(node.value as string) + BigInt(OFFSET)}n`);
    case 'BooleanLiteral':
      return put(String(!node.value));
    case 'StringLiteral':
      return put(JSON.stringify(`${node.value as string}${nonce}`));
    case 'TemplateLiteral':
      return { start: node.end - 1, end: node.end - 1, text: nonce };
    case 'ArrayExpression':
      return put(`[${word}]`);
    case 'ObjectExpression':
      return put(`{ ${word}: ${word} }`);
    default:
      return put(isTypeScript ? `(${word} as any)` : word);
  }
}

/** The literal inside a list, a record or a cast that is altered in their stead. */
function getInner(node: Node): Node | null {
  if (/^(TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ParenthesizedExpression)$/.test(node.type))
    return getNode(node, 'expression');
  if (node.type === 'ArrayExpression')
    return getNodes(node, 'elements').find(each => each.type !== 'SpreadElement') ?? null;
  if (node.type !== 'ObjectExpression') return null;
  const property = getNodes(node, 'properties').find(
    each =>
      each.type === 'ObjectProperty' && getName(getNode(each, 'key')) !== '__proto__' && !each.shorthand,
  );
  return property ? getNode(property, 'value') : null;
}

function getOtherNumber(value: number): string {
  const other = value + OFFSET;
  return String(Number.isFinite(other) && other !== value ? other : 1);
}
