import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const PAGES = [
  ...readdirSync(join(ROOT, 'docs')).map(name => `docs/${name}`),
  'README.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
].filter(path => path.endsWith('.md'));

/** Paths in backticks that look like files of this repository; patterns and examples of other projects are not. */
function getNamedFiles(text: string): string[] {
  return [...text.matchAll(/`((?:src|test|docs|scripts|bench|schema)\/[\w./-]+\.\w+)`/g)].map(
    match => match[1] ?? '',
  );
}

it.each(['docs/recovery.md', 'docs/coming-from.md'])('%s names no test that is not there', page => {
  const missing = getNamedFiles(readFileSync(join(ROOT, page), 'utf8')).filter(
    path => !existsSync(join(ROOT, path)),
  );
  expect(missing).toEqual([]);
});

it.each(PAGES)('%s links to no page that is not there', page => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(match => match[1] ?? '');
  expect(links.filter(link => !existsSync(join(ROOT, page, '..', link)))).toEqual([]);
});
