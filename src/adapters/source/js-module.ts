import { builtinModules } from 'node:module';
import { type ParserOptions, parse, parseExpression } from '@babel/parser';
import type { ModuleFacts, ModuleImport, ModuleUse } from '../../core/code/modules.ts';
import { getChildren, getDeclared, getName, getNode, getNodes, isFunction, type Node } from './js-tree.ts';

const BUILTIN = new Set(builtinModules);

/** Reads a script strictly: what is wrong with it, or what it imports and exports. */
export function readJsModule(path: string, text: string): { problem: string } | { facts: ModuleFacts } {
  let problem = '';
  for (const options of getOptions(path, text)) {
    try {
      const root = parse(text, options).program as unknown as Node;
      return { facts: getFacts(root) };
    } catch (error) {
      problem ||= (error as Error).message;
    }
  }
  return { problem };
}

/** JSON: a problem, or only the comments and commas that settings are often written with. */
export function readJson(text: string): {
  readonly problem: string | null;
  readonly looseness: string | null;
} {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return { problem: null, looseness: null };
  } catch (error) {
    const { message } = error as Error;
    try {
      parseExpression(text);
      return { problem: null, looseness: message };
    } catch {
      return { problem: message, looseness: null };
    }
  }
}

/** Ways to read a file, the likeliest first: dialects differ, and one that fits is enough. */
function getOptions(path: string, text: string): readonly ParserOptions[] {
  const isTypeScript = /\.[cm]?tsx?$/.test(path);
  const language: Plugins = isTypeScript
    ? ['typescript', ...(path.endsWith('x') ? (['jsx'] as const) : [])]
    : ['jsx'];
  const common: ParserOptions = {
    sourceType: /\.m[jt]s$/.test(path) ? 'module' : 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
    allowUndeclaredExports: isTypeScript,
  };
  const more: Plugins = ['explicitResourceManagement', 'decoratorAutoAccessors', 'deferredImportEvaluation'];
  return [
    { ...common, plugins: [...language, ...more, 'decorators-legacy'] },
    { ...common, plugins: [...language, ...more, 'decorators'] },
    { ...common, sourceType: 'script', plugins: language },
    { ...common, plugins: text.includes('@flow') ? ['flow', 'jsx'] : language },
  ];
}

type Plugins = NonNullable<ParserOptions['plugins']>;

interface Draft {
  readonly imports: ModuleImport[];
  readonly exports: Set<string>;
  readonly stars: string[];
  isSure: boolean;
  isModule: boolean;
  isPlain: boolean;
}

function getFacts(root: Node): ModuleFacts {
  const draft: Draft = {
    imports: [],
    exports: new Set(),
    stars: [],
    isSure: true,
    isModule: false,
    isPlain: false,
  };
  for (const node of getNodes(root, 'body')) readStatement(node, draft);
  readCalls(root, draft, false, false);
  if (!draft.isModule) readCommon(root, draft);
  const { exports, stars, isSure, isPlain } = draft;
  const imports = draft.imports.filter(({ spec }) => !isBuiltin(spec));
  return { imports, exports: [...exports], stars, isSure, isPlain, uses: getMemberUses(root) };
}

function isBuiltin(spec: string): boolean {
  return (
    /^(?:node|bun|deno|cloudflare|data|https?|npm|jsr|virtual|file):/.test(spec) ||
    BUILTIN.has(spec.split('/')[0] ?? '')
  );
}

function readStatement(node: Node, draft: Draft): void {
  if (/^(Import|Export)/.test(node.type)) draft.isModule = true;
  if (/^TS(ExportAssignment|NamespaceExport)/.test(node.type)) draft.isSure = false;
  const spec = getName(getNode(node, 'source'));
  const isType = node.importKind === 'type' || node.importKind === 'typeof' || node.exportKind === 'type';
  const parts = getNodes(node, 'specifiers').filter(part => part.importKind !== 'type');
  if (spec !== null) {
    const names = parts.flatMap(part => {
      if (part.type === 'ImportDefaultSpecifier') return ['default'];
      return getName(getNode(part, node.type === 'ImportDeclaration' ? 'imported' : 'local')) ?? [];
    });
    const line = node.loc.start.line;
    draft.imports.push({ spec, names: isType ? [] : names, line, isOptional: isType });
  }
  if (node.type === 'ExportAllDeclaration' && spec !== null) draft.stars.push(spec);
  if (node.type === 'ExportDefaultDeclaration') draft.exports.add('default');
  if (node.type !== 'ExportNamedDeclaration') return;
  for (const part of getNodes(node, 'specifiers')) addName(draft, getNode(part, 'exported'));
  for (const name of getDeclared(getNode(node, 'declaration'))) draft.exports.add(name);
}

function addName(draft: Draft, node: Node | null): void {
  const name = getName(node);
  if (name !== null) draft.exports.add(name);
}

/** `require` and `import()`; inside `try`, or where it is caught, it may well be missing, and a bundle brings its own. */
function readCalls(node: Node, draft: Draft, isOptional: boolean, isOnDemand: boolean): void {
  const callee = getNode(node, 'callee');
  const isCall = node.type === 'CallExpression' && (callee?.type === 'Import' || callee?.name === 'require');
  const spec = isCall ? getName(getNodes(node, 'arguments')[0] ?? null) : null;
  if (spec !== null)
    draft.imports.push({ spec, names: [], line: node.loc.start.line, isOptional, isOnDemand });
  const isCaught = getName(getNode(callee, 'property')) === 'catch' || node.type === 'TryStatement';
  const isOwn = isFunction(node) && getNodes(node, 'params').some(param => param.name === 'require');
  const isChoice = CHOICES.has(node.type);
  for (const child of getChildren(node))
    readCalls(child, draft, isOptional || isCaught || isOwn, isOnDemand || isChoice);
}

const CHOICES = new Set(['IfStatement', 'ConditionalExpression', 'LogicalExpression', 'SwitchStatement']);

/** What a CommonJS module puts on `exports`, where it does so in plain words; plain only if nothing else touches it. */
function readCommon(root: Node, draft: Draft): void {
  draft.isSure = false;
  draft.isPlain = isPlainCommon(root, null);
  const visit = (node: Node): void => {
    const left = node.type === 'AssignmentExpression' ? getNode(node, 'left') : null;
    if (left && isExports(getNode(left, 'object'))) addName(draft, getNode(left, 'property'));
    const right = getNode(node, 'right');
    if (left && isExports(left) && right?.type === 'ObjectExpression')
      for (const property of getNodes(right, 'properties')) addName(draft, getNode(property, 'key'));
    for (const child of getChildren(node)) visit(child);
  };
  visit(root);
}

function isExports(node: Node | null): boolean {
  if (node?.type === 'Identifier') return node.name === 'exports';
  return getName(getNode(node, 'object')) === 'module' && getName(getNode(node, 'property')) === 'exports';
}

/** Whether every word about `exports` names one thing on it, or all of them in an object. */
function isPlainCommon(node: Node, parent: Node | null): boolean {
  const isName = (parent?.property === node || parent?.key === node) && !parent.computed;
  if (isName || !isExports(node)) return getChildren(node).every(child => isPlainCommon(child, node));
  if (parent?.type === 'MemberExpression') return parent.object === node && !parent.computed;
  const right = parent?.type === 'AssignmentExpression' ? getNode(parent, 'right') : null;
  if (right?.type !== 'ObjectExpression' || parent?.left !== node) return false;
  return getNodes(right, 'properties').every(each => each.type !== 'SpreadElement' && !each.computed);
}

/** Names that a file takes from modules it holds as a whole: `import * as a`, `const a = require(…)`. */
function getMemberUses(root: Node): readonly ModuleUse[] {
  const draft: UseDraft = { modules: new Map(), bound: new Set(), uses: [] };
  bind(root, draft);
  for (const name of draft.bound) draft.modules.delete(name);
  collect(root, null, draft);
  return draft.uses;
}

interface UseDraft {
  /** Local names of whole modules. */
  readonly modules: Map<string, string>;
  /** Local names that are also something else somewhere: nobody knows which one is meant. */
  readonly bound: Set<string>;
  readonly uses: ModuleUse[];
}

function bind(node: Node, draft: UseDraft): void {
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

function collect(node: Node, parent: Node | null, draft: UseDraft): void {
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
