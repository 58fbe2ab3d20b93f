import { posix } from 'node:path';
import type { Workspace } from '../../../ports/index.ts';
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

/** Whether a name is an object's id: what it names never changes. */
export function isFixed(name: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
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

const MAX_ENTRIES = 200;
const MAX_CACHED_CHARS = 2_000_000;

/** Reads files of commits and remembers them: what a commit holds never changes, and the loop asks again each turn. */
export function createReader(ctx: GitContext): Pick<Workspace, 'readFile' | 'blobId'> {
  const ids = new Map<string, string>();
  const texts = new Map<string, string>();
  return {
    blobId: (treeish, path) => {
      const spec = getPathSpec(treeish, path);
      return spec === null
        ? Promise.resolve(null)
        : readOnce(ids, spec, async () => (await readObjectIds(ctx, [spec]))[0] ?? null);
    },
    readFile: async (treeish, path) => {
      const spec = getPathSpec(treeish, path);
      if (spec === null) return null;
      return readOnce(texts, spec, async () => {
        const [object] = await readObjects(ctx, [spec]);
        if (object?.type !== 'blob') return null;
        ids.set(spec, object.id);
        return object.body.toString('utf8');
      });
    },
  };
}

async function readOnce(
  cache: Map<string, string>,
  spec: string,
  read: () => Promise<string | null>,
): Promise<string | null> {
  const isStable = isFixed(spec.slice(0, spec.indexOf(':')));
  const known = isStable ? cache.get(spec) : undefined;
  if (known !== undefined) return known;
  const value = await read();
  if (value === null || !isStable || value.length > MAX_CACHED_CHARS) return value;
  if (cache.size >= MAX_ENTRIES) cache.clear();
  cache.set(spec, value);
  return value;
}
