import { getBody, type Node, parseJs, splice, walk } from '../js-text.ts';
import { getInner, readTokens } from '../py-text.ts';
import type { Random } from '../random.ts';
import { getModules, withText } from '../tree.ts';
import type { Generator } from './change.ts';

type Reshape = (text: string, isTypeScript: boolean) => string | null;

/** A module that looks different and means the same. */
export const format: Generator = ({ tree, ways }, random) => {
  const shapes: Readonly<Record<string, Reshape>> = ways.language === 'py' ? PYTHON : SCRIPT;
  for (const module of random.shuffle(getModules(tree, ways))) {
    const text = tree.get(module) ?? '';
    for (const how of pickSome(Object.keys(shapes), random)) {
      const next = shapes[how]?.(text, ways.language === 'ts') ?? null;
      if (next !== null && next !== text)
        return { what: `${how} of ${module}`, tree: withText(tree, module, next) };
    }
  }
  return null;
};

const pickSome = (from: readonly string[], random: Random): readonly string[] => random.shuffle(from);

const SCRIPT: Readonly<Record<string, Reshape>> = {
  indentation: (text, isTypeScript) => {
    const file = parseJs(text, isTypeScript);
    if (file === null) return null;
    const held = [...walk(file)].filter(({ type }) => type === 'TemplateLiteral');
    const next = text.includes('\n\t') ? (one: string) => one.replaceAll('\t', '  ') : widen;
    return reindent(text, at => held.some(({ start, end }) => at > start && at < end), next);
  },
  quotes: (text, isTypeScript) => {
    const file = parseJs(text, isTypeScript);
    if (file === null) return null;
    const plain = [...walk(file)].filter(node => isPlain(text.slice(node.start, node.end), node));
    const quote = text.split("'").length > text.split('"').length ? '"' : "'";
    const edits = plain.map(({ start, end }) => ({
      start,
      end,
      text: quote + text.slice(start + 1, end - 1) + quote,
    }));
    return splice(text, edits);
  },
  commas: (text, isTypeScript) => {
    const file = parseJs(text, isTypeScript);
    if (file === null) return null;
    const spots = [...walk(file)].flatMap(node => {
      const items = (
        node.type === 'ArrayExpression'
          ? node.elements
          : node.type === 'ObjectExpression'
            ? node.properties
            : []
      ) as (Node | null)[];
      const end = items.at(-1)?.end;
      return end !== undefined && /^\s*\n\s*[\]}]$/.test(text.slice(end, node.end))
        ? [{ start: end, end, text: ',' }]
        : [];
    });
    return splice(text, spots);
  },
  'blank lines': (text, isTypeScript) => {
    const file = parseJs(text, isTypeScript);
    return (
      file &&
      splice(
        text,
        getBody(file)
          .map(({ end }) => ({ start: end, end, text: '\n' }))
          .slice(0, -1)
          .filter(({ end }) => text[end] === '\n'),
      )
    );
  },
};

const widen = (one: string): string => one + one;

const isPlain = (text: string, { type }: Node): boolean =>
  type === 'StringLiteral' && !/['"\\\n]/.test(text.slice(1, -1));

function reindent(text: string, isHeld: (at: number) => boolean, next: (indent: string) => string): string {
  return text.replaceAll(/^[ \t]+(?=\S)(?!\*)/gm, (indent, at: number) =>
    isHeld(at) ? indent : next(indent),
  );
}

const PYTHON: Readonly<Record<string, Reshape>> = {
  indentation: text => {
    const tokens = readTokens(text);
    if (tokens === null) return null;
    const inner = getInner(tokens);
    return text
      .split('\n')
      .map((line, at) => (inner.has(at + 1) ? line : line.replace(/^ +(?=\S)/, narrow)))
      .join('\n');
  },
  quotes: text => {
    const lines = text.split('\n');
    const tokens = readTokens(text)?.filter(
      ({ kind, text: one }) => kind === 'STRING' && /^'[^'"\\\n]+'$|^"[^'"\\\n]+"$/.test(one),
    );
    if (!tokens) return null;
    const quote = text.split("'").length > text.split('"').length ? '"' : "'";
    for (const {
      text: one,
      from: [line, column],
    } of tokens) {
      const known = lines[line - 1] ?? '';
      const wide = [...known];
      wide.splice(column, one.length, ...`${quote}${one.slice(1, -1)}${quote}`);
      lines[line - 1] = wide.join('');
    }
    return lines.join('\n');
  },
  'blank lines': text => {
    const inner = getInner(readTokens(text) ?? []);
    return text
      .split('\n')
      .flatMap((line, at) => (/^ {4}return\b/.test(line) && !inner.has(at + 1) ? ['', line] : [line]))
      .join('\n');
  },
};

const narrow = (indent: string): string => (indent.length % 4 === 0 ? ' '.repeat(indent.length / 2) : indent);
