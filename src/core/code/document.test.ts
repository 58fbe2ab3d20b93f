import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from './document.ts';

describe('readDocument', () => {
  it.each<[string, string, readonly string[]]>([
    ['a relative link', 'see [the API](api.md)', ['api.md']],
    ['a place in another file', 'see [login](../auth.md#login)', ['../auth.md']],
    ['a picture with a title', '![flow](img/flow.png "The flow")', ['img/flow.png']],
    ['a named link', '[api]: ./api.md', ['./api.md']],
    [
      'the web, the same page, the root of a site',
      '[a](https://x.y) [b](#c) [d](/login) [e](mailto:a@b)',
      [],
    ],
    ['an example', '```\n[x](gone.md)\n```\nand `[y](gone.md)`', []],
    ['a footnote', '[^1]: some words', []],
    ['a comment', '<!-- [x](gone.md) -->', []],
  ])('finds where %s leads', (_, text, links) => {
    expect(readDocument(text).links).toEqual(links);
  });

  it.each<[string, string, readonly string[]]>([
    ['a part with text', '# A\n\nwords', []],
    ['a title over parts', '# A\n## B\nwords', []],
    ['nothing at the end', '# A\nwords\n## B\n', ['B']],
    ['nothing before a part of the same depth', '## A\n## B\nwords', ['A']],
    ['a rule and nothing else', '## A\n\n---\n', ['A']],
    ['a text about a list of things to do', '## A\n\nTODO items have a title.\n', []],
    ['an example alone', '## A\n```json\n{ "a": 1 }\n```\n', []],
    ['a heading in an example', '## A\nwords\n```\n# not a heading\n```\n', []],
  ])('sees what is left open: %s', (_, text, empty) => {
    expect(readDocument(text).empty).toEqual(empty);
  });

  it('knows a document of headings alone', () => {
    expect(readDocument('# A\n## B\n').hasText).toBe(false);
    expect(readDocument('words').hasText).toBe(true);
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('#', ' ', '\n', '`', '[', ']', '(', ')', 'a', '<!--') }),
        text => {
          expect(readDocument(text).links.every(link => link !== '')).toBe(true);
        },
      ),
    );
  });
});
