import { matchesAny } from '../core/base/glob.ts';
import { getFolder, joinPath } from '../core/base/tree-path.ts';
import { readDocument } from '../core/code/document.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import { getBasis } from '../core/model/task.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/**
 * What a task of a design says that it writes is there and new, nothing else was touched, and what stands in it can
 * be read to its end: no link leads nowhere, no part was left open. Whether it is any good is the review's question.
 */
export const outputs = defineCheck('outputs', async ctx => {
  const { task, policy } = ctx;
  const { outputs: declared = [] } = task;
  if (getBasis(task) !== 'review') return { status: 'skipped', summary: 'tests or a person decide' };
  const files = new Set(await ctx.ports.workspace.listFiles(ctx.candidate.tree));
  const changed = ctx.changes.filter(({ path }) => !isBacklogPath(policy, path) && path !== policy.notesPath);
  const paths = new Set(changed.map(({ path }) => path));
  const allowed = [...declared, ...task.mayChange];
  const foreign = [...paths].filter(path => !matchesAny(path, allowed));
  const written = [...files].filter(path => paths.has(path) && matchesAny(path, declared));
  const findings = [
    ...declared.flatMap(glob => getMissing(glob, files, paths)),
    ...foreign.map(
      path => `put ${path} back: task ${task.id} writes ${declared.join(', ')} and nothing else`,
    ),
    ...(await Promise.all(written.map(path => readProblems(ctx, path, files)))).flat(),
  ];
  const count = written.length === 1 ? 'one file' : `${written.length} files`;
  if (findings.length === 0) return { status: 'passed', summary: `${count} written as the task says` };
  return { status: 'failed', summary: 'what the task was to write is not whole', findings };
});

function getMissing(glob: string, files: ReadonlySet<string>, changed: ReadonlySet<string>): string[] {
  const matching = [...files].filter(path => matchesAny(path, [glob]));
  if (matching.length === 0) return [`write ${glob}: the task names it, and it is not there`];
  return matching.some(path => changed.has(path))
    ? []
    : [`${glob} is as it was: the task says that it is written`];
}

async function readProblems(ctx: CheckContext, path: string, files: ReadonlySet<string>): Promise<string[]> {
  const text = (await ctx.ports.workspace.readFile(ctx.candidate.commit, path)) ?? '';
  if (text.trim() === '') return [`${path} is empty`];
  if (!/\.(md|markdown)$/i.test(path)) return [];
  const { links, empty, hasText } = readDocument(text);
  const leads = (link: string) => {
    const target = joinPath(getFolder(path), decode(link)).replace(/\/$/, '');
    return files.has(target) || target === '' || [...files].some(file => file.startsWith(`${target}/`));
  };
  return [
    ...links.filter(link => !leads(link)).map(link => `${path} links to ${link}, which is not there`),
    ...(hasText
      ? empty.map(heading => `${path} has nothing under "${heading}"`)
      : [`${path} has nothing but headings`]),
  ];
}

function decode(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}
