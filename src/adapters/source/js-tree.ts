import { parse } from '@babel/parser';
import type { Names } from '../../core/testing/runner-names.ts';

/** What is used of a node of the parser; every other field is read by name. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly [field: string]: unknown;
}

/** Reads JavaScript, TypeScript or JSX; null when not even an error-tolerant parser can. */
export function parseJs(path: string, text: string): { root: Node; errors: number } | null {
  const isTypeScript = /\.[cm]?tsx?$/.test(path);
  const hasJsx = !/\.[cm]?ts$/.test(path);
  try {
    const file = parse(text, {
      sourceType: 'unambiguous',
      errorRecovery: true,
      allowReturnOutsideFunction: true,
      plugins: [
        ...(isTypeScript ? (['typescript'] as const) : []),
        ...(hasJsx ? (['jsx'] as const) : []),
        'decorators-legacy',
      ],
    });
    return { root: file.program as unknown as Node, errors: file.errors?.length ?? 0 };
  } catch {
    return null;
  }
}

/** The nodes directly below, in the order of the text. */
export function getChildren(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (const [field, value] of Object.entries(node)) {
    if (SKIPPED.has(field)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children.sort((a, b) => a.start - b.start);
}

const SKIPPED = new Set(['loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments', 'errors']);

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** A field that holds a node, or nothing. */
export function getNode(node: Node | null, field: string): Node | null {
  const value = node?.[field];
  return isNode(value) ? value : null;
}

export function getNodes(node: Node, field: string): readonly Node[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name that an identifier, a string or a plain property says; null when it is worked out at run time. */
export function getName(node: Node | null): string | null {
  if (node === null) return null;
  if (node.type === 'Identifier' || node.type === 'PrivateName') return (node.name as string) ?? null;
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type !== 'TemplateLiteral' || getNodes(node, 'expressions').length > 0) return null;
  return (getNodes(node, 'quasis')[0]?.value as { cooked?: string } | undefined)?.cooked ?? null;
}

/** The names that a declaration makes, out of patterns too. */
export function getDeclared(node: Node | null): readonly string[] {
  if (node === null) return [];
  if (node.type === 'Identifier') return [node.name as string];
  if (node.type === 'VariableDeclaration')
    return getNodes(node, 'declarations').flatMap(each => getDeclared(getNode(each, 'id')));
  if (node.type === 'ObjectPattern')
    return getNodes(node, 'properties').flatMap(each =>
      getDeclared(getNode(each, 'value') ?? getNode(each, 'argument')),
    );
  if (node.type === 'ArrayPattern') return getNodes(node, 'elements').flatMap(getDeclared);
  if (node.type === 'AssignmentPattern') return getDeclared(getNode(node, 'left'));
  if (node.type === 'RestElement') return getDeclared(getNode(node, 'argument'));
  return getDeclared(getNode(node, 'id'));
}

export function isFunction(node: Node): boolean {
  return /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|ObjectMethod|ClassMethod|ClassPrivateMethod)$/.test(
    node.type,
  );
}

/** `a.b(c).d` as its names from left to right, calls included as `()`. */
export function getChain(node: Node | null): readonly string[] {
  if (node === null) return [];
  if (/^(Optional)?MemberExpression$/.test(node.type))
    return [...getChain(getNode(node, 'object')), getName(getNode(node, 'property')) ?? '?'];
  if (/^(Optional)?CallExpression$/.test(node.type)) return [...getChain(getNode(node, 'callee')), '()'];
  if (node.type === 'TaggedTemplateExpression') return [...getChain(getNode(node, 'tag')), '()'];
  if (/^(TS\w+Expression|ParenthesizedExpression)$/.test(node.type))
    return getChain(getNode(node, 'expression'));
  return [getName(node) ?? '?'];
}

/** What a JavaScript or TypeScript file loads and names; what stands in a longer text is only text. */
export function getJsNames(path: string, text: string): Names | null {
  const parsed = parseJs(path, text);
  if (!parsed) return null;
  const modules = new Set<string>();
  const words = new Set<string>();
  const visit = (node: Node): void => {
    const module = getModule(node);
    if (module !== null) modules.add(module);
    const name = getName(node);
    if (name !== null && name.length < 64) words.add(name);
    for (const child of getChildren(node)) visit(child);
  };
  visit(parsed.root);
  return { modules: [...modules], words: [...words] };
}

/** The module that a statement or a call loads, where the text says which. */
function getModule(node: Node): string | null {
  const source = getNode(node, 'source');
  if (source) return getName(source);
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return null;
  const called =
    getNode(node, 'callee')?.type === 'Import' ? 'import' : getChain(getNode(node, 'callee')).at(-1);
  const isLoad = called === 'import' || called === 'require' || called === 'getBuiltinModule';
  return isLoad ? getName(getNodes(node, 'arguments')[0] ?? null) : null;
}

/** Whether two texts say the same to a machine: places, comments, brackets and quotes aside. */
export function isSameJs(path: string, before: string, after: string): boolean {
  const [was, is] = [parseJs(path, before), parseJs(path, after)];
  if (!was || !is || was.errors > 0 || is.errors > 0) return false;
  return getMeaning(was.root) === getMeaning(is.root);
}

const LAYOUT = new Set([
  ...['start', 'end', 'loc', 'range', 'extra', 'errors', 'tokens'],
  ...['comments', 'leadingComments', 'trailingComments', 'innerComments'],
]);

function getMeaning(root: unknown): string {
  return JSON.stringify(root, (key, value) => {
    if (LAYOUT.has(key)) return undefined;
    return typeof value === 'bigint' || value instanceof RegExp ? String(value) : value;
  });
}
