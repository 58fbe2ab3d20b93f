/** What is wrong with a document that can be seen without knowing what it is about. */
export interface DocumentFacts {
  /** Where its links lead, as they are written: those to other files of the project alone. */
  readonly links: readonly string[];
  /** Headings under which nothing stands. */
  readonly empty: readonly string[];
  /** Whether it has any words that are no heading. */
  readonly hasText: boolean;
}

/** Reads a Markdown document for what it leads to and what it leaves open. */
export function readDocument(text: string): DocumentFacts {
  const lines = getLines(text);
  const plain = lines.filter(({ isCode }) => !isCode).map(({ text: line }) => line.replace(/`[^`]*`/g, ''));
  return {
    links: plain.flatMap(getLinks),
    empty: getSections(lines).flatMap(({ heading, body, isParent }) =>
      heading !== null && !isParent && isOpen(body) ? [heading] : [],
    ),
    hasText: getSections(lines).some(({ body }) => !isOpen(body)),
  };
}

interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

/** What stands between fences is an example: it has no headings, and its links lead nowhere. */
function getLines(text: string): readonly Line[] {
  let fence: string | null = null;
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\r?\n/)
    .map(line => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
      const isCode = fence !== null || mark !== null;
      if (fence === null) fence = mark;
      else if (mark?.startsWith(fence)) fence = null;
      return { text: line, isCode };
    });
}

/** Addresses of the web, of a place in the same document and of the root of a site are not files of the project. */
function getLinks(line: string): string[] {
  const inline = [...line.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g)];
  const named = /^\s{0,3}\[[^\]^]+\]:\s+<?([^\s>]+)/.exec(line);
  return [...inline, ...(named ? [named] : [])]
    .map(([, target = '']) => target.replace(/[#?].*$/, ''))
    .filter(target => target !== '' && !/^([a-z][a-z0-9+.-]*:|\/)/i.test(target));
}

interface Section {
  readonly heading: string | null;
  readonly body: string;
  /** Whether a deeper heading follows at once: what stands there is its own. */
  readonly isParent: boolean;
}

function getSections(lines: readonly Line[]): readonly Section[] {
  const found: { heading: string | null; depth: number; body: string[] }[] = [
    { heading: null, depth: 0, body: [] },
  ];
  for (const { text, isCode } of lines) {
    const [, marks, heading] = (!isCode && /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/.exec(text)) || [];
    if (marks && heading) found.push({ heading, depth: marks.length, body: [] });
    else found.at(-1)?.body.push(text);
  }
  return found.map(({ heading, depth, body }, at) => ({
    heading,
    body: body.join('\n'),
    isParent: (found[at + 1]?.depth ?? 0) > depth,
  }));
}

/** Not a word: what says that it is still to be written is for the reviewer to see. */
function isOpen(body: string): boolean {
  return !/[\p{L}\p{N}]/u.test(body);
}
