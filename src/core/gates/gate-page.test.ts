import { expect, it } from 'vitest';
import { type GatePage, getGateHtml, getGateMarkdown } from './gate-page.ts';

const PAGE: GatePage = {
  title: 'A <b>title</b>',
  lead: ['one | two'],
  tables: [
    { title: 'Rows', heads: ['What'], rows: [['a|b\n# c `d` <script>alert(1)</script> [e](f)']] },
    { title: 'None', heads: ['What'], rows: [] },
  ],
};

it('words of others stay words in the text', () => {
  expect(getGateMarkdown(PAGE)).toBe(`# A \\<b\\>title\\</b\\>

one \\| two

## Rows

| What |
| --- |
| a\\|b # c \\\`d\\\` \\<script\\>alert(1)\\</script\\> \\[e\\](f) |
`);
});

it('words of others stay words in the page, which asks nobody for anything', () => {
  const html = getGateHtml(PAGE);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script|src=|href=|<h2>None/);
  expect(html).toContain("default-src 'none'");
});
