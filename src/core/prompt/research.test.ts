import { expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { getResearchOverview, isResearch } from './research.ts';

it('raw results are JSON in the folder for them, unless the task is about that folder', () => {
  const task = makeTask('1');
  expect(isResearch('search_results/a.json', task)).toBe(true);
  expect(isResearch('src/search_results/a.json', task)).toBe(false);
  expect(isResearch('search_results/a.ts', task)).toBe(false);
  expect(isResearch('search_results/a.json', { ...task, title: 'Keep search_results/a.json' })).toBe(false);
});

it('an overview has titles, addresses and first words, whatever the list is called', () => {
  const results = [{ title: 'Postgres', url: 'https://a.example', snippet: 'rows  and\ncolumns' }];
  const overview = getResearchOverview([
    { path: 'search_results/db.json', text: JSON.stringify({ query: 'db', organic: results }) },
    { path: 'search_results/broken.json', text: '{' },
  ]);
  expect(overview).toContain('## db.json\n\n- Postgres: https://a.example: rows and columns');
  expect(overview).toContain('## broken.json\n\n- nothing that can be read');
});
