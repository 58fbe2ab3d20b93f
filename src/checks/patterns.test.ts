import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@babel/parser';
import { expect, it } from 'vitest';

const LIMIT = 60;

/** Regular expressions in each module that the checks load, their tests aside. */
function countPatterns(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const open = ['src/checks', 'src/testruns'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join(folder, name)),
  );
  // What an agent did is noted while it works, and judged by a check.
  open.push('src/core/testing/test-evidence.ts');
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (counts.has(path) || path.endsWith('.test.ts') || !existsSync(path)) continue;
    const { program } = parse(readFileSync(path, 'utf8'), { sourceType: 'module', plugins: ['typescript'] });
    counts.set(path, countIn(program));
    for (const statement of program.body) {
      const spec = 'source' in statement ? statement.source?.value : undefined;
      const isType = 'importKind' in statement && statement.importKind === 'type';
      if (spec?.startsWith('.') && !isType) open.push(relative('.', join(dirname(path), spec)));
    }
  }
  return counts;
}

function countIn(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const { type, callee } = node as { readonly type?: string; readonly callee?: { readonly name?: string } };
  const isPattern = type === 'RegExpLiteral' || (type === 'NewExpression' && callee?.name === 'RegExp');
  const below = Object.values(node).reduce<number>((sum, value) => sum + countIn(value), 0);
  return below + (isPattern ? 1 : 0);
}

const ROW = /^\| `(src\/\S+)` \| (\d+) \| (\d+) \| [^|]+ \| ([^|]*)\|$/gm;

it('each pattern of the checks is named with its reason, and few decide', () => {
  const rows = [...readFileSync('docs/verification.md', 'utf8').matchAll(ROW)];
  const named = Object.fromEntries(
    rows.map(([, path, decide, form]) => [path, Number(decide) + Number(form)]),
  );
  const there = Object.fromEntries([...countPatterns()].filter(([, count]) => count > 0));
  expect(named).toEqual(there);
  for (const [row, , decide, , reason = ''] of rows) {
    if (Number(decide) > 0) expect(reason.trim(), row).not.toBe('');
  }
  expect(rows.reduce((sum, [, , decide]) => sum + Number(decide), 0)).toBeLessThan(LIMIT);
});
