import { parse } from '@babel/parser';

/** As much of a syntax tree as changes to texts need. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The file's tree; null for a text that cannot be read. */
export function parseJs(text: string, isTypeScript: boolean): Node | null {
  try {
    const plugins: 'typescript'[] = isTypeScript ? ['typescript'] : [];
    return parse(text, {
      sourceType: 'unambiguous',
      plugins,
      allowReturnOutsideFunction: true,
    }) as unknown as Node;
  } catch {
    return null;
  }
}

/** Every node below one, itself included. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || /Comments?$|^comments$|^tokens$/.test(key)) continue;
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) yield* walk(one);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

export const getBody = (file: Node): readonly Node[] => (file.program as { body: readonly Node[] }).body;

export const getName = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : null;

/** Functions at the top of a module that are not exported where they stand. */
export function getFunctions(file: Node): readonly { readonly name: string; readonly node: Node }[] {
  return getBody(file).flatMap(node => {
    if (node.type === 'FunctionDeclaration') {
      const name = getName(node.id);
      return name === null ? [] : [{ name, node }];
    }
    const [only, ...rest] = node.type === 'VariableDeclaration' ? (node.declarations as Node[]) : [];
    const init = only?.init;
    const name = getName(only?.id);
    const isFunction = isNode(init) && /^(ArrowFunction|Function)Expression$/.test(init.type);
    return name !== null && rest.length === 0 && isFunction ? [{ name, node }] : [];
  });
}

/** All names that stand anywhere in a piece of code, those of properties too. */
export function getNames(node: Node): ReadonlySet<string> {
  return new Set([...walk(node)].flatMap(one => getName(one) ?? []));
}

/** Names that a module knows at its top: declared or imported. */
export function getTopNames(file: Node): ReadonlySet<string> {
  const declared = getBody(file).flatMap(node => {
    const inner = isNode(node.declaration) ? node.declaration : node;
    if (inner.type === 'ImportDeclaration') return [...getNames(inner)];
    if (inner.type === 'VariableDeclaration')
      return (inner.declarations as Node[]).flatMap(one => (isNode(one.id) ? [...getNames(one.id)] : []));
    return getName(inner.id) ?? [];
  });
  return new Set(declared);
}

/** Pieces of a text put in the place of others; they do not overlap. */
export function splice(text: string, edits: readonly { start: number; end: number; text: string }[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((done, edit) => done.slice(0, edit.start) + edit.text + done.slice(edit.end), text);
}
