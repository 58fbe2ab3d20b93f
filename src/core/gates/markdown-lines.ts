/** One line of a Markdown file, and what it stands under. */
export interface MarkdownLine {
  /** From 1. */
  readonly line: number;
  /** The headings that it stands under, in lower case, the outermost first. */
  readonly headings: readonly string[];
  /** Null for a line that is no list item. */
  readonly bullet: Bullet | null;
}

export interface Bullet {
  readonly text: string;
  readonly isNested: boolean;
  readonly isTicked: boolean;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** Headings and list items of a Markdown file; what stands in code or in a comment says nothing. */
export function readMarkdown(text: string): readonly MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  let headings: readonly Heading[] = [];
  let fence = '';
  let isComment = false;
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(raw)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = '';
      continue;
    }
    fence = mark;
    if (fence !== '') continue;
    const isInside = isComment;
    isComment = isComment ? !raw.includes('-->') : /<!--(?!.*-->)/.test(raw);
    if (isInside) continue;
    const shown = raw.replaceAll(/<!--.*?-->|<!--.*$/g, '');
    const [, marks = '', title] = /^(#{1,6})\s+(.+?)\s*#*\s*$/.exec(shown) ?? [];
    const level = marks.length;
    if (title !== undefined)
      headings = [...headings.filter(outer => outer.level < level), { level, title: title.toLowerCase() }];
    lines.push({ line: at + 1, headings: headings.map(heading => heading.title), bullet: getBullet(shown) });
  }
  return lines;
}

function getBullet(raw: string): Bullet | null {
  const [, indent = '', box = '', text] =
    /^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*?)\s*$/.exec(raw) ?? [];
  if (!text) return null;
  return { text, isNested: indent.includes('\t') || indent.length >= 2, isTicked: /x/i.test(box) };
}
