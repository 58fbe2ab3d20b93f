import { posix } from 'node:path';
import { type GitContext, runScratch } from './context.ts';
import { getGitError } from './git-error.ts';

export interface GitObject {
  readonly id: string;
  readonly type: string;
  readonly body: Buffer;
}

/** Reads any number of objects with one process; null for what is not there. */
export async function readObjects(ctx: GitContext, specs: readonly string[]): Promise<(GitObject | null)[]> {
  const stdout = await runBatch(ctx, '--batch', specs);
  let offset = 0;
  return specs.map(spec => {
    const head = getHead(stdout, offset, spec);
    offset = head.next;
    if (!head.found) return null;
    const body = stdout.subarray(offset, offset + head.size);
    offset += head.size + 1;
    return { id: head.id, type: head.type, body };
  });
}

/** The ids of objects, without reading what is in them. */
export async function readObjectIds(ctx: GitContext, specs: readonly string[]): Promise<(string | null)[]> {
  const stdout = await runBatch(ctx, '--batch-check', specs);
  let offset = 0;
  return specs.map(spec => {
    const head = getHead(stdout, offset, spec);
    offset = head.next;
    return head.found ? head.id : null;
  });
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

async function runBatch(ctx: GitContext, mode: string, specs: readonly string[]): Promise<Buffer> {
  if (specs.length === 0) return Buffer.alloc(0);
  const result = await runScratch(ctx, ['cat-file', mode, '-z'], {
    input: specs.map(spec => `${spec}\0`).join(''),
  });
  if (result.code !== 0) throw getGitError('reading from the repository', result, ctx.repo.root);
  return result.stdout;
}

type Head =
  | { found: true; id: string; type: string; size: number; next: number }
  | { found: false; next: number };

function getHead(stdout: Buffer, offset: number, spec: string): Head {
  for (const why of ['missing', 'ambiguous']) {
    const line = Buffer.from(`${spec} ${why}\n`);
    if (stdout.subarray(offset, offset + line.length).equals(line))
      return { found: false, next: offset + line.length };
  }
  const end = stdout.indexOf('\n', offset);
  const [id = '', type = '', size = '0'] = stdout.toString('latin1', offset, end).split(' ');
  return { found: true, id, type, size: Number(size), next: end + 1 };
}
