import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const GLOSSARY = readFileSync('GLOSSARY.md', 'utf8');
const USER_WORDS = 12;

/** Cells of the tables below a heading, without the head of each. */
function getRows(text: string): string[][] {
  return text
    .split('\n')
    .filter(line => /^\| (?!word |term |-)/.test(line))
    .map(line => line.split('|').map(cell => cell.trim()))
    .map(cells => cells.slice(1, -1));
}

describe('the glossary', () => {
  const [words = '', names = ''] = GLOSSARY.split('## Names in code');
  const themes = words.split(/^## /m).slice(1);
  const all = getRows(words).map(([word = '']) => word.replaceAll('*', ''));

  it('has each word once, in the order of the alphabet within its theme', () => {
    expect(new Set(all).size).toBe(all.length);
    for (const theme of themes) {
      const listed = getRows(theme).map(([word = '']) => word.replaceAll('*', ''));
      expect(listed).toEqual(listed.toSorted((a, b) => a.localeCompare(b, 'en')));
    }
  });

  it('marks the dozen that a user needs', () => {
    expect(words.match(/^\| \*\*/gm)).toHaveLength(USER_WORDS);
  });

  it('calls nothing by a name that it takes for another thing in the same table', () => {
    const used = getRows(names).flatMap(([, used = '']) => used.match(/`\w+`/g) ?? []);
    const banned = getRows(names).flatMap(([, , banned = '']) => banned.match(/`\w+`/g) ?? []);
    expect(banned.length).toBeGreaterThan(0);
    expect(used.filter(name => banned.includes(name))).toEqual([]);
  });
});

it('code and documents need no paper that the product was asked for with', () => {
  const files = execFileSync('git', ['ls-files', 'src', 'docs', 'test', 'scripts', '*.md'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter(path => /\.(ts|js|md|sh)$/.test(path) && path !== 'docs/coming-from.md');
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter(path => /\bseeds? ['’]?[A-E]\b/i.test(readFileSync(path, 'utf8')))).toEqual([]);
});
