import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPageFacts } from './page-facts.ts';
import { PAGE_LIMITS, readViewport } from './site-limits.ts';
import { getLeftLine, getSiteSpec, type SeenPage } from './site-spec.ts';

const getPage = (url: string, facts: unknown): SeenPage => ({
  url,
  facts: getPageFacts(facts),
  screenshots: [{ viewport: { width: 390, height: 844 }, png: new Uint8Array() }],
});

/** What stands outside of fences: the only part that is ours. */
function getOutside(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const run = /^`{3,}/.exec(line)?.[0];
    if (fence === null && run) fence = run;
    else if (fence !== null && line === fence) fence = null;
    else if (fence === null) kept.push(line);
  }
  expect(fence).toBeNull();
  return kept.join('\n');
}

describe('the document of a site', () => {
  it('has structure, links between pages, controls, forms and screenshots', () => {
    const pages = [
      getPage('https://a.example/', {
        title: 'Shop',
        headings: [{ level: 1, text: 'Hello' }],
        links: [
          { text: 'Cart', url: 'https://a.example/cart' },
          { text: 'Other', url: 'https://b.example/' },
        ],
        controls: [{ kind: 'button', text: 'Buy' }],
        forms: [{ name: 'search', fields: ['input text Query'] }],
        landmarks: [{ kind: 'nav', text: '' }],
        text: 'Hello\nBuy',
      }),
      getPage('https://a.example/cart', { title: 'Cart' }),
    ];
    const left = [{ what: 'https://a.example/admin', why: 'robots.txt does not allow it' }];
    const site = { url: 'https://a.example/', pages, left };
    expect(getSiteSpec(site, { name: 'shop', notes: 'only prices' })).toMatchSnapshot();
  });

  it('keeps what a page says within fences, whatever it says', () => {
    const hostile = fc.string({ unit: fc.constantFrom('`', '```', '\n', '`````\n', '~~~', 'mine', ' ') });
    fc.assert(
      fc.property(hostile, text => {
        const facts = { title: text, headings: [{ level: 1, text }], links: [{ text, url: text }], text };
        const page = getPage('https://a.example/', facts);
        const site = { url: page.url, pages: [page], left: [{ what: text, why: text }] };
        expect(getOutside(getSiteSpec(site, { name: 'x' }))).not.toContain('mine');
      }),
    );
  });
});

describe('what a page says of itself', () => {
  it('has a shape and an end, whatever came out of the page', () => {
    fc.assert(
      fc.property(fc.anything(), raw => {
        expect(getPageFacts(raw).links.length).toBeLessThanOrEqual(PAGE_LIMITS.links);
      }),
    );
    const many = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(9_999), level: 99, fields: [1] }));
    const facts = getPageFacts({
      ...{ headings: many, links: many, controls: many, forms: many, landmarks: many },
      text: 'y'.repeat(99_999),
    });
    const { headings, links, controls, forms, landmarks, text } = facts;
    expect([headings, links, controls, forms, landmarks].map(list => list.length)).toEqual([
      80, 140, 120, 20, 80,
    ]);
    expect([text.length, headings[0]?.text.length, headings[0]?.level]).toEqual([12_000, 300, 6]);
  });
});

it('letters that nobody sees are left out', () => {
  const hidden = 'a\u001b[31mb\u200bc\u202ed\u{e0041}e\u009bf';
  expect(getPageFacts({ title: hidden, text: `${hidden}\n\tg` })).toMatchObject({
    title: 'a[31mbcdef',
    text: 'a[31mbcdef\n\tg',
  });
  expect(getLeftLine({ what: hidden, why: 'x\ny' })).toBe('a[31mbcdef: x y');
});

it('a size is two numbers that a screen could have', () => {
  expect(readViewport('390x844')).toEqual({ width: 390, height: 844 });
  for (const odd of ['390', '1x1', '9999x9999', 'x', '-390x844', '390x844x1'])
    expect(readViewport(odd)).toBeNull();
});
