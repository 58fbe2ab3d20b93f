import type { Touching } from '../../../core/testing/changed-tests.ts';
import { expectOk, type GitContext, runScratch } from './context.ts';

/** Which files each commit since `from` touched, parents first; a merge only where it is neither of its sides. */
export async function readTouching(
  ctx: GitContext,
  from: string,
  heads: readonly string[],
): Promise<Touching[]> {
  const args = ['log', '--reverse', '--topo-order', '--name-only', '-c', '--no-renames', '-z'];
  const result = await runScratch(ctx, [...args, '--format=%x01%H%x02%an', `^${from}`, ...heads]);
  const chunks = expectOk(ctx, 'reading the history', result).toString('utf8').split('\x01').slice(1);
  return chunks.map(chunk => {
    const [head = '', ...names] = chunk.split('\0');
    const [commit = '', author = ''] = head.split('\x02');
    const paths = names.map(name => name.replace(/^\n/, '')).filter(name => name !== '');
    return { commit, author: author.trim(), paths };
  });
}

/**
 * Reads every object of some commits and compares it with its name: git itself does not while it works.
 * One line for each that is damaged or gone, with the path it has.
 */
export async function findDamage(ctx: GitContext, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return [];
  const input = `${commits.join('\n')}\n`;
  const result = await runScratch(ctx, ['rev-list', '--verify-objects', '--no-walk', '--stdin'], { input });
  const names = new Map(
    result.stdout
      .toString('utf8')
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const lines = result.stderr.split('\n').filter(line => /^(error|fatal):/.test(line));
  if (lines.length === 0 && result.code !== 0) expectOk(ctx, 'reading the landed trees', result);
  return [...new Set(lines)].map(line => {
    const text = line.replace(/^(error|fatal): /, '');
    const [id = ''] = /[0-9a-f]{40,64}/.exec(text) ?? [];
    const path = names.get(id);
    return path ? `${path}: ${text}` : text;
  });
}
