import type { Break } from './edits.ts';
import { getChildren, getName, getNode, getNodes, isFunction, type Node, parseJs } from './js-tree.ts';

/** Every way to break the given lines of a JavaScript or TypeScript file. */
export function getJsBreaks(path: string, text: string, lines: readonly number[]): readonly Break[] {
  const parsed = parseJs(path, text);
  if (!parsed) return [];
  const changed = new Set(lines);
  const breaks: Break[] = [];
  for (const unit of getUnits(parsed.root)) {
    if (!touches(unit.node, changed)) continue;
    const add = (one: Omit<Break, 'unit' | 'kind'>, kind: Break['kind'], at: Node = unit.node) =>
      breaks.push({ ...one, kind: unit.isReached ? kind : 'effect', unit: `${unit.name}:${at.start}` });
    for (const fn of getOuterFunctions(unit.node)) {
      const emptied = touches(fn, changed) ? getEmptied(fn) : null;
      if (emptied) add({ ...emptied, line: getFirst(fn, changed) }, 'body', fn);
    }
    for (const { node, fn } of getChanged(unit.node, changed)) {
      // What is not exported any more is missed by any test: that says nothing about it.
      if (!fn && isWiring(unit.node)) continue;
      const { line } = node.loc.start;
      for (const one of getBreaksOf(node, text)) add({ ...one, line }, 'single', fn ?? unit.node);
    }
  }
  return breaks;
}

/** Whether an edited text still parses as well as the one it was made of. */
export function isSoundJs(path: string, text: string): (edited: string) => boolean {
  const errors = parseJs(path, text)?.errors ?? 0;
  return edited => (parseJs(path, edited)?.errors ?? errors + 1) <= errors;
}

interface Unit {
  readonly name: string;
  readonly node: Node;
  /** Whether others can get at it: it is exported, or something exported uses it. */
  readonly isReached: boolean;
}

/**
 * The statements of a module. What nobody outside can call and what runs on its own is set apart: code
 * that forges results lives there, and breaking it would look like a test that does its work.
 */
function getUnits(root: Node): readonly Unit[] {
  const units = getNodes(root, 'body')
    .filter(node => !/^(Import|TS|ExportAll)/.test(node.type))
    .map(node => ({ node, names: getDeclared(node), uses: getIdentifiers(node), isExport: isExport(node) }));
  const exported = getExportedNames(root);
  const reached = new Set(units.filter(unit => unit.isExport || unit.names.some(name => exported.has(name))));
  for (let grown = true; grown; ) {
    const used = new Set([...reached].flatMap(unit => [...unit.uses]));
    const more = units.filter(unit => !reached.has(unit) && unit.names.some(name => used.has(name)));
    for (const unit of more) reached.add(unit);
    grown = more.length > 0;
  }
  return units.map(unit => ({
    name: unit.names[0] ?? '',
    node: unit.node,
    isReached: reached.has(unit),
  }));
}

function getDeclared(node: Node): readonly string[] {
  const declaration = getNode(node, 'declaration') ?? node;
  const own = getName(getNode(declaration, 'id'));
  const declared = getNodes(declaration, 'declarations').flatMap(each => [
    ...getIdentifiers(getNode(each, 'id') ?? each),
  ]);
  return own === null ? declared : [own];
}

function isExport(node: Node): boolean {
  if (/^Export(Named|Default)Declaration$/.test(node.type)) return getNode(node, 'declaration') !== null;
  return isWiring(node);
}

/** `module.exports = { a }`, `exports.a = …`, `Object.assign(exports, { a })` and their kin. */
function isWiring(node: Node): boolean {
  const expression = node.type === 'ExpressionStatement' ? getNode(node, 'expression') : null;
  if (!expression) return false;
  const target = getNode(expression, 'left') ?? getNodes(expression, 'arguments')[0];
  const names = target ? getIdentifiers(target) : new Set<string>();
  return names.has('exports') || names.has('module');
}

/** `export { a, b as c }` and `export default a`. */
function getExportedNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of getNodes(root, 'body')) {
    if (!/^Export/.test(node.type)) continue;
    for (const each of getNodes(node, 'specifiers')) names.add(getName(getNode(each, 'local')) ?? '');
    const declaration = getNode(node, 'declaration');
    if (declaration?.type === 'Identifier') names.add(getName(declaration) ?? '');
  }
  return names;
}

function getIdentifiers(node: Node, found = new Set<string>()): Set<string> {
  if (/^(JSX)?Identifier$/.test(node.type)) found.add(node.name as string);
  for (const child of getChildren(node)) getIdentifiers(child, found);
  return found;
}

function getOuterFunctions(node: Node): readonly Node[] {
  if (isFunction(node)) return [node];
  return getChildren(node).flatMap(getOuterFunctions);
}

function getEmptied(fn: Node): { start: number; end: number; text: string; what: string } | null {
  const body = getNode(fn, 'body');
  if (!body) return null;
  const what = `${getName(getNode(fn, 'id')) ?? getName(getNode(fn, 'key')) ?? 'a function'} returns nothing`;
  const text = body.type === 'BlockStatement' ? '{ return undefined; }' : 'undefined';
  return { start: body.start, end: body.end, text, what };
}

/** The nodes below that begin in a changed line, each with the outermost function around it. */
function* getChanged(
  node: Node,
  changed: ReadonlySet<number>,
  fn: Node | null = null,
): Generator<{ readonly node: Node; readonly fn: Node | null }> {
  if (/^TS(?!As|NonNull|Satisfies)|^Import|^(Type|Interface)/.test(node.type) || isLoading(node)) return;
  if (changed.has(node.loc.start.line)) yield { node, fn };
  const inside = fn ?? (isFunction(node) ? node : null);
  for (const child of getChildren(node)) if (!isKey(node, child)) yield* getChanged(child, changed, inside);
}

/** A module that is not found breaks everything and says nothing. */
function isLoading(node: Node): boolean {
  const callee = getNode(node, 'callee');
  if (node.type === 'ExportNamedDeclaration' && getNode(node, 'source')) return true;
  return callee?.type === 'Import' || getName(callee) === 'require';
}

function isKey(node: Node, child: Node): boolean {
  return node.key === child && node.computed !== true;
}

function touches(node: Node, changed: ReadonlySet<number>): boolean {
  return getFirst(node, changed) > 0;
}

function getFirst({ loc }: Node, changed: ReadonlySet<number>): number {
  for (let line = loc.start.line; line <= loc.end.line; line++) if (changed.has(line)) return line;
  return 0;
}

type Found = Omit<Break, 'unit' | 'kind' | 'line'>;

const SWAPS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
};

/** The ways in which one node can be broken. */
function getBreaksOf(node: Node, text: string): readonly Found[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return getSwapped(node, text);
    case 'BooleanLiteral':
      return [replace(node, String(!node.value), `${node.value} became ${!node.value}`)];
    case 'NumericLiteral':
      return [replace(node, String((node.value as number) + 1), `${node.value} became another number`)];
    case 'StringLiteral':
      return [replace(node, node.value === '' ? "'mutated'" : "''", 'a text became another')];
    case 'TemplateLiteral':
      return [replace(node, '``', 'a text became empty')];
    case 'ReturnStatement':
      return getWithout(getNode(node, 'argument'), 'undefined', 'nothing is returned');
    case 'ArrowFunctionExpression':
      return node.expression === true || getNode(node, 'body')?.type !== 'BlockStatement'
        ? getWithout(getNode(node, 'body'), 'undefined', 'nothing is returned')
        : [];
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return getNegated(getNode(node, 'test'), text);
    case 'ThrowStatement':
      return [replace(node, ';', 'an error is no longer thrown')];
    case 'ExpressionStatement':
      return /^(Call|Await|Assignment|Update|OptionalCall)Expression$/.test(
        getNode(node, 'expression')?.type ?? '',
      )
        ? [replace(node, ';', 'a statement was left out')]
        : [];
    default:
      return [];
  }
}

function replace(node: Node, text: string, what: string): Found {
  return { start: node.start, end: node.end, text, what };
}

function getSwapped(node: Node, text: string): readonly Found[] {
  const [left, right] = [getNode(node, 'left'), getNode(node, 'right')];
  const operator = node.operator as string;
  const swap = SWAPS[operator];
  if (!left || !right || swap === undefined) return [];
  const at = text.slice(left.end, right.start).indexOf(operator);
  if (at === -1) return [];
  const start = left.end + at;
  return [{ start, end: start + operator.length, text: swap, what: `${operator} became ${swap}` }];
}

function getWithout(node: Node | null, text: string, what: string): readonly Found[] {
  if (!node || (node.type === 'Identifier' && node.name === 'undefined')) return [];
  return [replace(node, text, what)];
}

function getNegated(test: Node | null, text: string): readonly Found[] {
  if (!test) return [];
  return [replace(test, `!(${text.slice(test.start, test.end)})`, 'a condition was negated')];
}
