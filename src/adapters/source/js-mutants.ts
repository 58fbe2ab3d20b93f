import type { Break } from './edits.ts';
import { getBreaksOf } from './js-operators.ts';
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
    addOperators(unit.node, text, changed, (one, fn) => {
      // What is not exported any more is missed by any test: that says nothing about it.
      if (fn || !isWiring(unit.node)) add(one, 'single', fn ?? unit.node);
    });
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

function addOperators(
  node: Node,
  text: string,
  changed: ReadonlySet<number>,
  add: (one: Omit<Break, 'unit' | 'kind'>, fn: Node | null) => void,
  fn: Node | null = null,
): void {
  if (/^TS(?!As|NonNull|Satisfies)|^Import|^(Type|Interface)/.test(node.type) || isLoading(node)) return;
  const { line } = node.loc.start;
  if (changed.has(line)) for (const one of getBreaksOf(node, text)) add({ ...one, line }, fn);
  const inside = fn ?? (isFunction(node) ? node : null);
  for (const child of getChildren(node))
    if (!isKey(node, child)) addOperators(child, text, changed, add, inside);
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
