import { posix } from 'node:path';
import { type GitContext, runScratch } from '../repo/context.ts';
import { getGitError } from '../repo/git-error.ts';
import { createAnswerReader, type GitObject, type ObjectAnswer } from '../repo/object-answers.ts';

/** Reads any number of objects; null for what is not there. */
export async function readObjects(ctx: GitContext, specs: readonly string[]): Promise<(GitObject | null)[]> {
  return (await ask(ctx, 'contents', specs)).map(answer => answer.object);
}

/** The ids of objects, without reading what is in them. */
export async function readObjectIds(ctx: GitContext, specs: readonly string[]): Promise<(string | null)[]> {
  return (await ask(ctx, 'info', specs)).map(answer => answer.object?.id ?? null);
}

/** How git is asked for a path in a commit or tree; null for a path that cannot be in one. */
export function getPathSpec(treeish: string, path: string): string | null {
  const clean = posix.normalize(path);
  if (clean === '..' || clean.startsWith('../') || clean.startsWith('/')) return null;
  return `${treeish}:${clean}`;
}

/** The parts of a commit that the harness decides by; the rest of the text is kept as it is. */
export function getCommitFacts(object: GitObject): {
  tree: string;
  parents: string[];
  rest: string;
  seconds: number;
} {
  const text = object.body.toString('latin1');
  const tree = /^tree ([0-9a-f]+)\n/.exec(text)?.[1] ?? '';
  const [head = ''] = text.split('\n\n', 1);
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(match => match[1] ?? '');
  const rest = text.replace(/^tree [0-9a-f]+\n(parent [0-9a-f]+\n)*/, '');
  const seconds = Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0);
  return { tree, parents, rest, seconds };
}

/** The server if it can; a git of its own where that fails, whose error says what is wrong. */
async function ask(
  ctx: GitContext,
  how: 'contents' | 'info',
  specs: readonly string[],
): Promise<ObjectAnswer[]> {
  try {
    return await ctx.objects.ask(how, specs);
  } catch {
    return askOnce(ctx, how, specs);
  }
}

async function askOnce(
  ctx: GitContext,
  how: 'contents' | 'info',
  specs: readonly string[],
): Promise<ObjectAnswer[]> {
  const input = specs.map(spec => `${how} ${spec}\0`).join('');
  const result = await runScratch(ctx, ['cat-file', '--batch-command', '-z'], { input });
  if (result.code !== 0) throw getGitError('reading from the repository', result, ctx.repo.root);
  const reader = createAnswerReader();
  reader.add(result.stdout);
  return specs.map(spec => {
    const answer = reader.take(how, spec);
    if (answer === null) throw new Error(`git cat-file said nothing about ${spec}`);
    return answer;
  });
}
