import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ParserOptions, parse } from '@babel/parser';

export interface Import {
  readonly path: string;
  readonly isType: boolean;
}

export interface FunctionSize {
  readonly name: string;
  readonly lines: number;
  readonly parameters: number;
}

/** One product file, as far as the graph is concerned. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionSize[];
}

export const SYNTAX: ParserOptions = { sourceType: 'module', plugins: ['typescript'] };

/** Every product file below `src`: tests and what they share are not part of the house. */
export function readSources(root: string): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map(name => posix.join('src', name.replaceAll('\\', '/')))
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
    .sort()
    .map(path => getSource(path, readFileSync(join(root, path), 'utf8')));
}

/** Reads one text. */
export function getSource(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const functions: FunctionSize[] = [];
  visit({ ...parse(text, SYNTAX).program }, undefined, (node, name) => {
    const found = getImport(path, node);
    if (found) imports.push(found);
    if (FUNCTIONS.has(node.type)) functions.push(getSize(node, name));
  });
  return { path, lines: text.split('\n').length - 1, imports, functions };
}

export interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
]);

/** Every node with the name that stands nearest around it. */
export function visit(node: Node, name: string | undefined, see: (node: Node, name: string) => void): void {
  const own = getName(node) ?? name;
  see(node, own ?? 'anonymous');
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, own, see);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function getName({ id, key }: Node): string | undefined {
  const named = isNode(id) ? id : key;
  return isNode(named) && typeof named.name === 'string' ? named.name : undefined;
}

function getImport(path: string, node: Node): Import | undefined {
  const { source } = node;
  const isLazy = node.type === 'ImportExpression' || isImportCall(node);
  const target = isLazy ? getArgument(node) : source;
  if (!isNode(target) || typeof target.value !== 'string' || !target.value.startsWith('.')) return undefined;
  if (!target.value.endsWith('.ts')) return undefined;
  return { path: posix.join(posix.dirname(path), target.value), isType: isTypeOnly(node) };
}

function isImportCall({ type, callee }: Node): boolean {
  return type === 'CallExpression' && isNode(callee) && callee.type === 'Import';
}

function getArgument(node: Node): unknown {
  return node.source ?? (Array.isArray(node.arguments) ? node.arguments[0] : undefined);
}

/** `import type`, or nothing but types between the braces. */
function isTypeOnly({ type, importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type' || type === 'TSImportType') return true;
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every(one => isNode(one) && (one.importKind === 'type' || one.exportKind === 'type'));
}

function getSize({ loc, params }: Node, name: string): FunctionSize {
  const { start, end } = loc as { start: { line: number }; end: { line: number } };
  return { name, lines: end.line - start.line + 1, parameters: Array.isArray(params) ? params.length : 0 };
}
