import { PAGE_LIMITS } from './site-limits.ts';

export interface SiteLink {
  readonly text: string;
  readonly url: string;
}

/** What a page says of itself. All of it is the page's own words: nothing here is trusted. */
export interface PageFacts {
  readonly title: string;
  readonly headings: readonly { readonly level: number; readonly text: string }[];
  readonly links: readonly SiteLink[];
  readonly controls: readonly { readonly kind: string; readonly text: string }[];
  readonly forms: readonly { readonly name: string; readonly fields: readonly string[] }[];
  readonly landmarks: readonly { readonly kind: string; readonly text: string }[];
  readonly text: string;
}

type Loose = Readonly<Record<string, unknown>>;

/** What came out of a page, in the shape that it should have and no longer than it may be. */
export function getPageFacts(raw: unknown): PageFacts {
  const page = getObject(raw);
  const list = (name: 'headings' | 'links' | 'controls' | 'forms' | 'landmarks') =>
    getList(page[name], PAGE_LIMITS[name]).map(getObject);
  return {
    title: getLine(page.title),
    headings: list('headings').map(({ level, text }) => ({
      level: Math.min(6, Math.max(1, Number(level) || 1)),
      text: getLine(text),
    })),
    links: list('links').map(({ text, url }) => ({
      text: getLine(text),
      url: getText(url, PAGE_LIMITS.urlLetters),
    })),
    controls: list('controls').map(({ kind, text }) => ({ kind: getLine(kind), text: getLine(text) })),
    forms: list('forms').map(({ name, fields }) => ({
      name: getLine(name),
      fields: getList(fields, PAGE_LIMITS.controls).map(getLine),
    })),
    landmarks: list('landmarks').map(({ kind, text }) => ({ kind: getLine(kind), text: getLine(text) })),
    text: getText(page.text, PAGE_LIMITS.textLetters),
  };
}

function getObject(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {};
}

function getList(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

function getText(value: unknown, max: number): string {
  return typeof value === 'string' ? getVisible(value.slice(0, max)) : '';
}

function getLine(value: unknown): string {
  return getText(value, PAGE_LIMITS.lineLetters).replace(/\s+/g, ' ').trim();
}

/** Without letters that nobody sees: they move the cursor of a terminal, or speak to a reader that is no person. */
export function getVisible(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}|\p{Cf}/gu, '');
}
