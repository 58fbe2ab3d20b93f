import { spawnSync } from 'node:child_process';

/** One token of a Python text, by line (from 1) and column. */
export interface Token {
  readonly kind: string;
  readonly text: string;
  readonly from: readonly [line: number, column: number];
  readonly to: readonly [line: number, column: number];
}

const PROGRAM = `
import io, json, sys, tokenize
tokens = tokenize.generate_tokens(io.StringIO(sys.stdin.read()).readline)
print(json.dumps([[tokenize.tok_name[t.type], t.string, t.start, t.end] for t in tokens]))
`;

/** As Python itself reads the text; null where it cannot. */
export function readTokens(text: string): readonly Token[] | null {
  const { status, stdout } = spawnSync('python3', ['-c', PROGRAM], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) return null;
  const rows = JSON.parse(stdout) as [string, string, [number, number], [number, number]][];
  return rows.map(([kind, one, from, to]) => ({ kind, text: one, from, to }));
}

/** Lines that begin inside a text over several lines. */
export function getInner(tokens: readonly Token[]): ReadonlySet<number> {
  const inner = new Set<number>();
  for (const { kind, from, to } of tokens)
    if (kind === 'STRING' || kind.startsWith('FSTRING'))
      for (let line = from[0] + 1; line <= to[0]; line += 1) inner.add(line);
  return inner;
}

/** Functions at the top of a module: their name, text and lines. */
export function getDefs(
  text: string,
): readonly { readonly name: string; readonly from: number; readonly to: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const name = /^def (\w+)\(/.exec(line)?.[1];
    if (name === undefined || /^@/.test(lines[at - 1] ?? '')) return [];
    const rest = lines.slice(at + 1).findIndex(one => /^[^\s)#]/.test(one));
    return [{ name, from: at, to: rest < 0 ? lines.length : at + 1 + rest }];
  });
}
