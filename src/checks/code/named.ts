import { isObject, parseObject } from '../../core/base/json.ts';
import { getBaseName, getExtension, getStem } from '../../core/base/tree-path.ts';
import { canScan } from '../../core/code/imports.ts';
import { getExports } from '../../core/code/modules.ts';
import { getDotted, isPage, type NamingText, namesFile, startsModule } from '../../core/code/named-paths.ts';
import type { Gate, GateFinding } from '../../core/model/gates.ts';
import { isBacklogPath } from '../../core/model/policy.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import type { Trees } from './links.ts';
import type { SourceTree } from './source-tree.ts';

const MAX_GONE = 1_000;
const MAX_NAMING = 2_000;

/** Prose and data about files: nothing is loaded by what stands there. */
const TELLING = ['*.md', '*.mdx', '*.markdown', '*.rst', '*.adoc', '*.map', '*.snap', '*.csv', '*.svg'];
const ASIDE = [
  ...TELLING,
  '*.tsv',
  '*.po',
  '*.log',
  '*.patch',
  '*.diff',
  '*ignore',
  '*.gitattributes',
  '*CODEOWNERS',
];

/** Where files are built from a list in a text, it is no prose. */
function isProse(path: string): boolean {
  return getExtension(path) === 'txt' && getBaseName(path) !== 'CMakeLists.txt';
}

/** What was there and is gone: a file, or a name that a module of Python gave. */
interface Gone {
  readonly path: string;
  readonly name: string | null;
}

/** Deleted files that something which stays still names, as it did on the base. */
export async function findStillNamed(ctx: CheckContext, trees: Trees): Promise<readonly GateFinding[]> {
  const gone = (await findGone(trees)).slice(0, MAX_GONE);
  if (gone.length === 0) return [];
  const isTest = await readIsTest(ctx);
  const words = gone.flatMap(({ path, name }) => {
    const dotted = getDotted(path);
    return [...(name === null ? [getBaseName(path)] : []), ...(dotted === null ? [] : [dotted])];
  });
  const aside = [...ASIDE, ...ctx.policy.environment.lockfiles.flatMap(file => [file, `**/${file}`])];
  const naming = await ctx.ports.workspace.findMentions?.(ctx.candidate.tree, [...new Set(words)], aside);
  const { notesPath, configPath } = ctx.policy;
  const paths = (naming ?? []).filter(
    path =>
      !isTest(path) &&
      !isProse(path) &&
      !isBacklogPath(ctx.policy, path) &&
      path !== notesPath &&
      path !== configPath,
  );
  const found: GateFinding[] = [];
  for (const path of paths.filter(each => trees.before.files.has(each)).slice(0, MAX_NAMING))
    found.push(...(await findIn(trees, path, gone)));
  return found;
}

async function findGone({ before, after, changes }: Trees): Promise<readonly Gone[]> {
  const gone: Gone[] = [];
  for (const { path, kind } of changes) {
    if (kind === 'deleted' && !isElsewhere(after.files, path)) gone.push({ path, name: null });
    if (kind !== 'modified' || getDotted(path) === null) continue;
    const [had, has] = [await getExports(before, path), await getExports(after, path)];
    for (const name of had && has ? had : []) if (!has?.has(name)) gone.push({ path, name });
  }
  return gone;
}

/** What is written in another dialect now is found under its old name. */
function isElsewhere(files: ReadonlySet<string>, path: string): boolean {
  const stem = getStem(path, new Set(['js', 'jsx', 'mjs', 'cjs']));
  if (stem !== path) return ['ts', 'tsx', 'mts', 'cts'].some(extension => files.has(`${stem}.${extension}`));
  if (getExtension(path) !== 'py') return false;
  const module =
    getBaseName(path) === '__init__.py' ? path.slice(0, -'/__init__.py'.length) : path.slice(0, -3);
  return [...files].some(file => file.startsWith(`${module}.`) || file.startsWith(`${module}/`));
}

async function findIn(
  { before, after }: Trees,
  path: string,
  gone: readonly Gone[],
): Promise<readonly GateFinding[]> {
  const [were, are] = [await readNaming(before, path), await readNaming(after, path)];
  const found: GateFinding[] = [];
  for (const { path: lost, name } of gone) {
    const dotted = getDotted(lost);
    const isNamed = (text: NamingText, { files }: SourceTree) =>
      (name === null && namesFile(text, lost, files)) ||
      (dotted !== null && !canScan(path) && startsModule(text, dotted, name));
    const at = are.findIndex(text => isNamed(text, after));
    if (at === -1 || !were.some(text => isNamed(text, before))) continue;
    const what = name === null ? `${lost} is gone` : `${lost} no longer has ${name}`;
    found.push({ gate: getGate(path, lost, at), text: `${what}, and ${path} names it` });
  }
  return found;
}

/** What would fail when it is used, and what may be an old list that nobody reads. */
function getGate(path: string, lost: string, at: number): Gate {
  const name = getBaseName(path).toLowerCase();
  if (name === 'package.json') return at === 0 ? 'imports' : 'mentions';
  if (isPage(path) || name === 'pyproject.toml' || name === 'procfile') return 'imports';
  if (name.includes('dockerfile') || name === 'containerfile') return 'imports';
  const isSetting = name.startsWith('.') || name.includes('.config.');
  return canScan(path) && canScan(lost) && !isSetting ? 'imports' : 'mentions';
}

/** Targets of these are looked at as entries. */
const ENTRIES = ['main', 'module', 'browser', 'types', 'typings', 'bin', 'exports'];

/** A text that may name others; of a package.json first what is run and resolved, then the rest. */
async function readNaming(tree: SourceTree, path: string): Promise<readonly NamingText[]> {
  const text = await tree.readText(path);
  const isQuoted = canScan(path) || isPage(path);
  // What imports lead to is looked at as imports.
  const imports = canScan(path) ? ((await tree.read(path))?.imports ?? []) : [];
  const naming = { path, text, isQuoted, except: new Set(imports.map(({ spec }) => spec)) };
  if (getBaseName(path) !== 'package.json') return [naming];
  const { scripts, imports: inner, ...json } = parseObject(text);
  const rest = Object.entries(json).filter(([field]) => !ENTRIES.includes(field));
  const parts = [{ scripts: isObject(scripts) ? scripts : {}, inner }, Object.fromEntries(rest)];
  return parts.map(part => ({ ...naming, text: JSON.stringify(part) }));
}
