import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { describe, expect, it } from 'vitest';
import { type Node, SYNTAX, visit } from '../../scripts/graph/read-sources.ts';

/** What the words are looked for in. */
interface Used {
  readonly kind: 'identifier' | 'message' | 'heading';
  readonly text: string;
  readonly at: string;
}

interface Ban {
  readonly term: string;
  /** In small letters, its parts with one space between. */
  readonly phrase: string;
  readonly kinds: ReadonlySet<Used['kind']>;
}

/** The cells of every table below the headings of a text. */
function getRows(text: string): string[][] {
  const lines = text.split('\n').filter(line => /^\| (?!word |term |name |-)/.test(line));
  return lines.map(line => line.split('|').map(cell => cell.trim())).map(cells => cells.slice(1, -1));
}

/** `takesUp`, `TAKES_UP` and `takes-up` are one and the same. */
function getPhrase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A word with a note in brackets has a place of its own, which only a reader can tell. */
function getBans(glossary: string): Ban[] {
  const [themes = '', names = ''] = glossary.split('## Names in code');
  const everywhere = new Set<Used['kind']>(['identifier', 'message', 'heading']);
  const words = getRows(themes).flatMap(([term = '', , not = '']) =>
    not
      .replace(/[^,]*\([^)]*\)/g, '')
      .split(',')
      .map(word => ({ term, phrase: getPhrase(word), kinds: everywhere })),
  );
  const [table = ''] = names.split('## Names that stay');
  const code = getRows(table).flatMap(([term = '', , not = '']) =>
    [...not.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({
      ...{ term, phrase: getPhrase(name), kinds: new Set<Used['kind']>(['identifier']) },
    })),
  );
  return [...words, ...code].filter(({ phrase }) => phrase !== '');
}

/** Names that are on disk or on the surface. */
function getStaying(glossary: string): ReadonlySet<string> {
  const [, staying = ''] = glossary.split('## Names that stay');
  return new Set([...staying.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name));
}

/** What is used although the glossary has another word for it; a message is a text with more than one word. */
function getMisused(glossary: string, used: readonly Used[]): string[] {
  const bans = getBans(glossary);
  const staying = getStaying(glossary);
  const open = used.filter(({ kind, text }) => kind !== 'identifier' || !staying.has(text));
  return open.flatMap(({ kind, text, at }) => {
    const phrase = ` ${getPhrase(text)} `;
    return bans
      .filter(ban => ban.kinds.has(kind) && phrase.includes(` ${ban.phrase} `))
      .map(ban => `${at}: ${kind} "${text}" says "${ban.phrase}" for ${ban.term.replaceAll('*', '')}`);
  });
}

/** Identifiers and texts of a source file. */
function getUsed(path: string, text: string): Used[] {
  const found = new Map<string, Used>();
  visit({ ...parse(text, SYNTAX).program }, undefined, node => {
    const { type, loc } = node as Node & { readonly loc?: { readonly start: { readonly line: number } } };
    const at = `${path}:${loc?.start.line}`;
    const name = type === 'Identifier' ? node.name : undefined;
    const { cooked } = (node.value ?? {}) as { readonly cooked?: string };
    const said = type === 'StringLiteral' ? node.value : type === 'TemplateElement' ? cooked : undefined;
    if (typeof name === 'string' && !found.has(name)) found.set(name, { kind: 'identifier', text: name, at });
    if (typeof said === 'string' && /\w \w/.test(said))
      found.set(at + said, { kind: 'message', text: said, at });
  });
  return [...found.values()];
}

function getHeadings(path: string, text: string): Used[] {
  const lines = text.replace(/^```[\s\S]*?^```/gm, '').split('\n');
  return lines
    .filter(line => /^#{1,6} /.test(line))
    .map(line => ({ kind: 'heading', text: line.replace(/^#+ /, ''), at: path }));
}

function listFiles(...patterns: readonly string[]): string[] {
  return execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}

const GLOSSARY = readFileSync('GLOSSARY.md', 'utf8');

describe('the words of the glossary', () => {
  it('are those of the code and of its messages', () => {
    const files = listFiles('src/*.ts').filter(path => !path.endsWith('.test.ts') && !path.endsWith('.d.ts'));
    const used = files.flatMap(path => getUsed(path, readFileSync(path, 'utf8')));
    expect(used.length).toBeGreaterThan(10_000);
    expect(getMisused(GLOSSARY, used)).toEqual([]);
  });

  it('are those of the headings', () => {
    const pages = listFiles('*.md').filter(
      path => !/^(GLOSSARY|CHANGELOG)\.md$|^test\/fixtures\//.test(path),
    );
    const headings = pages.flatMap(path => getHeadings(path, readFileSync(path, 'utf8')));
    expect(headings.length).toBeGreaterThan(100);
    expect(getMisused(GLOSSARY, headings)).toEqual([]);
  });

  it.each([
    ['a name', 'export const corridorLength = 1;', 'corridor'],
    ['part of a name', 'function isTold(): void {}', 'told'],
    ['a constant', 'const MAX_TODO_LIST = 1;', 'todo list'],
    ['a message', "throw new Error('the night is over');", 'night'],
    ['a message with a value', 'say(`1 warning, $' + '{n} to know about`);', 'to know about'],
  ])('are missed in %s that has another one', (_, text, word) => {
    expect(getMisused(GLOSSARY, getUsed('made-up.ts', text))).toEqual([expect.stringContaining(`"${word}"`)]);
  });

  it('are missed in a heading that has another one', () => {
    const page = getHeadings(
      'made-up.md',
      '# Runs\n\n```\n# what a night costs\n```\n\n## What a night costs',
    );
    expect(getMisused(GLOSSARY, page)).toHaveLength(1);
  });

  it('leave what is stored its name, and what a note allows', () => {
    const stored = 'interface Ended { readonly mended?: true; readonly handoff: string }';
    const noted = "const gate = 'a feature of one turn';";
    expect(getMisused(GLOSSARY, getUsed('made-up.ts', stored + noted))).toEqual([]);
  });

  it('are names that the code has, where the glossary gives one', () => {
    const all = listFiles('src/*.ts').map(path => readFileSync(path, 'utf8'));
    const [, names = ''] = GLOSSARY.split('## Names in code');
    const given = getRows(names).flatMap(([, used = '']) =>
      [...used.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const named = [...getStaying(GLOSSARY), ...given];
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(name => !all.some(text => new RegExp(`\\b${name}\\b`).test(text)))).toEqual([]);
  });
});
