import { getBaseName, getExtension, getFolder } from '../../core/base/tree-path.ts';
import { isIgnored } from '../../core/code/ignored.ts';
import type { ModuleTree } from '../../core/code/modules.ts';
import type { Reading } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';

/** A tree whose files are read as sources, each once. */
export interface SourceTree extends ModuleTree {
  readonly id: string;
  readText(path: string): Promise<string>;
  /** What is wrong with the syntax of a file; null when nothing is, or nobody can tell. */
  getProblem(path: string): Promise<string | null>;
  /** Why strict readers of JSON refuse a file that others take; null for every other file. */
  getLooseness(path: string): Promise<string | null>;
}

export async function openTree(ctx: CheckContext, id: string): Promise<SourceTree> {
  const { workspace, sources } = ctx.ports;
  const base = await readBase(ctx);
  const files = new Set(await workspace.listFiles(id));
  const known = new Map<string, Promise<Reading | null>>();
  const readText = async (path: string) => (await workspace.readFile(id, path)) ?? '';
  const read = async (path: string): Promise<Reading | null> => {
    const text = files.has(path) ? await workspace.readFile(id, path) : null;
    if (text === null || text.includes('\0')) return null;
    return (await sources?.read?.({ path: getReadAs(path, text), text })) ?? null;
  };
  const readOnce = (path: string) => {
    const reading = known.get(path) ?? read(path);
    known.set(path, reading);
    return reading;
  };
  return {
    id,
    files,
    readText,
    ...base,
    getProblem: async path => (await readOnce(path))?.problem ?? null,
    getLooseness: async path => (await readOnce(path))?.looseness ?? null,
    read: async path => (await readOnce(path))?.facts ?? null,
  };
}

/** What the base says of paths: a change cannot excuse itself. */
async function readBase({
  ports,
  baseTree,
}: CheckContext): Promise<Required<Pick<ModuleTree, 'isMade' | 'wasPackage'>>> {
  const files = new Set(await ports.workspace.listFiles(baseTree));
  const rules = new Map<string, string>();
  for (const path of [...files].filter(each => getBaseName(each) === '.gitignore'))
    rules.set(getFolder(path), (await ports.workspace.readFile(baseTree, path)) ?? '');
  return {
    isMade: paths => paths.some(path => isIgnored(path, rules)) && !paths.some(path => files.has(path)),
    wasPackage: folder => files.has(`${folder}/__init__.py`),
  };
}

/** A program says in its first line what it is written in, where its name does not. */
function getReadAs(path: string, text: string): string {
  const [, name = ''] = /^#!.*?\b(node|bun|deno|tsx|python|(?:ba|da|z|k|fi|tc)?sh\b)/.exec(text) ?? [];
  const extension = getExtension(path);
  // Other shells have other grammars.
  if (extension === 'sh') return SHELLS.has(name) || name === '' ? path : `${path}.other`;
  if (extension === 'bash') return `${path}.sh`;
  if (extension !== '' || name === '') return path;
  return `${path}.${ENDINGS.get(name) ?? (name.endsWith('sh') ? 'other' : 'js')}`;
}

const SHELLS = new Set(['sh', 'bash', 'dash']);
const ENDINGS = new Map([['python', 'py'], ['tsx', 'ts'], ...[...SHELLS].map(name => [name, 'sh'] as const)]);
