import type { Names } from '../../core/testing/runner-names.ts';
import { getChain, getChildren, getName, getNode, getNodes, type Node, parseJs } from './js-tree.ts';

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
