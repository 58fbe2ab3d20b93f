import type { AlteredCase, AlteredTest } from '../../ports/index.ts';
import { type Edit, getEdited } from './edits.ts';
import { type Bindings, getBindings, getExpected, getOtherValue } from './js-expectations.ts';
import {
  getChain,
  getChildren,
  getName,
  getNode,
  getNodes,
  isFunction,
  type Node,
  parseJs,
} from './js-tree.ts';
import { getNonceTests, type Used } from './nonces.ts';

/** Alters every expectation of equality in a test file and adds tests that must fail. */
export function getAlteredJs(path: string, text: string, nonce: string): AlteredTest | null {
  const parsed = parseJs(path, text);
  if (!parsed) return null;
  const bindings = getBindings(parsed.root);
  const walk: Walk = {
    text,
    nonce,
    isTypeScript: /\.[cm]?tsx?$/.test(path),
    bindings,
    edits: [],
    cases: new Map(),
    used: { test: null, only: false, chains: [] },
  };
  visit(walk, parsed.root, { names: [], isTest: false, isCode: false, isSure: true });
  const nonces = getNonceTests(walk.used, bindings, nonce);
  const end = { start: text.length, end: text.length, text: nonces.text };
  return {
    text: getEdited(text, [...walk.edits, end]),
    textWithNonces: getEdited(text, [end]),
    nonceNames: nonces.names,
    alterations: walk.edits.length,
    tests: [...walk.cases.values()],
  };
}

interface Walk {
  readonly text: string;
  readonly nonce: string;
  readonly isTypeScript: boolean;
  readonly bindings: Bindings;
  readonly edits: Edit[];
  readonly cases: Map<string, AlteredCase>;
  readonly used: Used;
}

interface Place {
  /** Of suites and tests; null where one is worked out at run time. */
  readonly names: readonly string[] | null;
  readonly isTest: boolean;
  /** In a function that is called when a test runs. */
  readonly isCode: boolean;
  readonly isSure: boolean;
}

const SUITES = /^(describe|suite|context|xdescribe|fdescribe)$/;
const HOOKS = /^(before|after)(Each|All)?$|^(setup|teardown|suiteSetup|suiteTeardown)$/;
const OFF = /^(skip|todo|fails|failing|fixme|only_fails)$/;

function visit(walk: Walk, node: Node, place: Place): void {
  if (node.type === 'CallExpression') {
    const kind = getKind(walk, node);
    if (kind === 'off') return;
    if (kind !== null) {
      visitDefinition(walk, node, place, kind);
      return;
    }
    noteExpectation(walk, node, place);
  }
  const isPlain = !isFunction(node);
  const here = isPlain ? place : { ...place, isCode: true, isSure: false };
  for (const child of getChildren(node)) {
    const isSure = here.isSure && !isBranch(node, child) && !isLoosePromise(node, child);
    visit(walk, child, isSure === here.isSure ? here : { ...here, isSure });
  }
}

/** A suite or a test: what its function holds runs under its name. */
function visitDefinition(walk: Walk, call: Node, place: Place, kind: 'suite' | 'test'): void {
  const args = getNodes(call, 'arguments');
  const name = getName(args[0] ?? null);
  const chain = getChain(getNode(call, 'callee'));
  const isStatic = name !== null && !chain.includes('each') && !chain.includes('for');
  const names = isStatic && place.names ? [...place.names, name.replace(/\s+/g, ' ').trim()] : null;
  if (chain.includes('only')) walk.used.only = true;
  // `Deno.test` and `tap.test` are called by both of their names.
  const define = chain[1] === 'test' ? `${chain[0]}.test` : (chain[0] ?? null);
  if (kind === 'test' && place.names !== null && !place.isTest) walk.used.test ??= define;
  for (const arg of args) {
    if (!isFunction(arg)) continue;
    const isTest = kind === 'test';
    const isSure = isTest && !leavesEarly(arg);
    const inside: Place = { names, isTest, isCode: isTest, isSure };
    for (const child of getChildren(arg)) visit(walk, child, inside);
  }
}

function getKind(walk: Walk, call: Node): 'suite' | 'test' | 'off' | null {
  const chain = getChain(getNode(call, 'callee'));
  const args = getNodes(call, 'arguments');
  const [first = ''] = chain;
  const isSubtest = chain.length === 2 && chain[1] === 'test' && args.some(isFunction);
  const isTest = /^(it|test|specify|fit)$/.test(first) || walk.bindings.testFunctions.has(first) || isSubtest;
  if (HOOKS.test(chain.at(-1) ?? '') && args.some(isFunction)) return 'off';
  if (/^(xit|xtest|xdescribe)$/.test(first) || (isTest && chain.some(part => OFF.test(part)))) return 'off';
  if (!args.some(isFunction)) return null;
  if (SUITES.test(first) || (isTest && SUITES.test(chain[1] ?? ''))) return 'suite';
  return isTest ? 'test' : null;
}

function noteExpectation(walk: Walk, call: Node, place: Place): void {
  const chain = getChain(getNode(call, 'callee'));
  const expected = getExpected(call, walk.bindings);
  if (expected === null) return;
  walk.used.chains.push(chain.join('.'));
  if (!place.isCode) return;
  walk.edits.push(getOtherValue(expected, walk.text, walk.nonce, walk.isTypeScript));
  if (!place.isTest || place.names === null) return;
  const key = JSON.stringify(place.names);
  const known = walk.cases.get(key);
  const { line } = call.loc.start;
  walk.cases.set(key, {
    names: place.names,
    line: known?.line ?? line,
    isSure: place.isSure || (known?.isSure ?? false),
  });
}

/** Whether what stands in `child` may never be reached although `node` is. */
function isBranch(node: Node, child: Node): boolean {
  if (/^(IfStatement|ConditionalExpression)$/.test(node.type)) return child !== node.test;
  if (/^(LogicalExpression|AssignmentExpression)$/.test(node.type)) return child === node.right;
  if (/^(For|While|DoWhile|ForOf|ForIn)Statement$|^(Switch|Try)Statement$/.test(node.type)) return true;
  return /^Optional/.test(node.type);
}

/** `expect(promise).resolves…` that nobody waits for. */
function isLoosePromise(node: Node, child: Node): boolean {
  if (node.type !== 'ExpressionStatement' || child.type !== 'CallExpression') return false;
  const chain = getChain(getNode(child, 'callee'));
  return chain.some(part => /^(resolves|rejects|eventually|then|poll)$/.test(part));
}

/** A `return` anywhere but at the end: what follows may never run. */
function leavesEarly(fn: Node): boolean {
  const body = getNodes(getNode(fn, 'body') ?? fn, 'body');
  return (
    body.slice(0, -1).some(hasReturn) ||
    (body.at(-1)?.type !== 'ReturnStatement' && body.slice(-1).some(hasReturn))
  );
}

function hasReturn(node: Node): boolean {
  if (node.type === 'ReturnStatement') return true;
  return !isFunction(node) && getChildren(node).some(hasReturn);
}
