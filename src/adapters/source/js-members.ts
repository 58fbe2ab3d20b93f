import type { ModuleUse } from '../../core/code/modules.ts';
import { getChildren, getDeclared, getName, getNode, getNodes, isFunction, type Node } from './js-tree.ts';

/** Names that a file takes from modules it holds as a whole: `import * as a`, `const a = require(…)`. */
export function getMemberUses(root: Node): readonly ModuleUse[] {
  const draft: Draft = { modules: new Map(), bound: new Set(), uses: [] };
  bind(root, draft);
  for (const name of draft.bound) draft.modules.delete(name);
  collect(root, null, draft);
  return draft.uses;
}

interface Draft {
  /** Local names of whole modules. */
  readonly modules: Map<string, string>;
  /** Local names that are also something else somewhere: nobody knows which one is meant. */
  readonly bound: Set<string>;
  readonly uses: ModuleUse[];
}

function bind(node: Node, draft: Draft): void {
  if (node.type === 'ImportDeclaration' && node.importKind !== 'type') {
    for (const part of getNodes(node, 'specifiers').filter(each => each.type === 'ImportNamespaceSpecifier'))
      draft.modules.set(getName(getNode(part, 'local')) ?? '', getName(getNode(node, 'source')) ?? '');
  }
  if (node.type === 'VariableDeclarator') {
    const id = getNode(node, 'id');
    const spec = getRequired(getNode(node, 'init'));
    const local = getName(id);
    if (spec === null || (local !== null && draft.modules.has(local)))
      for (const name of getDeclared(id)) draft.bound.add(name);
    else if (local !== null) draft.modules.set(local, spec);
  }
  if (isFunction(node))
    for (const name of getNodes(node, 'params').flatMap(getDeclared)) draft.bound.add(name);
  for (const child of getChildren(node)) bind(child, draft);
}

function getRequired(node: Node | null): string | null {
  if (node?.type !== 'CallExpression' || getNode(node, 'callee')?.name !== 'require') return null;
  return getName(getNodes(node, 'arguments')[0] ?? null);
}

function collect(node: Node, parent: Node | null, draft: Draft): void {
  // What is tried may well be missing.
  if (node.type === 'TryStatement') return;
  const { line } = node.loc.start;
  const object = node.type === 'MemberExpression' ? getNode(node, 'object') : null;
  const spec =
    getRequired(object) ?? (object?.type === 'Identifier' ? draft.modules.get(object.name as string) : null);
  const property = getNode(node, 'property');
  const name = node.computed && property?.type === 'Identifier' ? null : getName(property);
  if (spec && name !== null && !isAsked(node, parent)) draft.uses.push({ spec, name, line });
  const taken = node.type === 'VariableDeclarator' ? getRequired(getNode(node, 'init')) : null;
  if (taken !== null) {
    for (const part of getNodes(getNode(node, 'id') ?? node, 'properties')) {
      const key = getName(getNode(part, 'key'));
      if (key !== null && !part.computed && getNode(part, 'value')?.type === 'Identifier')
        draft.uses.push({ spec: taken, name: key, line });
    }
  }
  for (const child of getChildren(node)) collect(child, node, draft);
}

/** Written to, or only asked whether it is there. */
function isAsked(node: Node, parent: Node | null): boolean {
  if (parent?.type === 'AssignmentExpression' || parent?.type === 'LogicalExpression')
    return parent.left === node;
  return parent?.type === 'UnaryExpression' || parent?.test === node;
}
