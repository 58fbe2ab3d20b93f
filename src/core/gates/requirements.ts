import type { Acceptance } from './acceptance.ts';
import { readMarkdown } from './markdown-lines.ts';

/** One thing that was asked for. */
export interface Requirement {
  /** The tag by which tasks name it. */
  readonly id: string;
  readonly text: string;
  readonly line: number;
  /** Tasks that it names itself. */
  readonly plans: readonly string[];
}

/** What was asked for by the tags of an acceptance file. */
export function getTagged({ criteria }: Acceptance): readonly Requirement[] {
  return criteria.map(({ tag: id, text, line, plans }) => ({ id, text, line, plans }));
}

/** What a specification without one lists under its requirements; what is nested there belongs to the item above it. */
export function getListed(spec: string): readonly Requirement[] {
  const found = new Map<string, Requirement>();
  for (const { line, headings, bullet } of readMarkdown(spec)) {
    if (bullet === null || bullet.isNested || !headings.some(isAsking)) continue;
    const { id, text } = getNamed(bullet.text);
    // Said twice is asked once.
    if (id !== '' && !found.has(id)) found.set(id, { id, text, line, plans: [] });
  }
  return [...found.values()];
}

function isAsking(heading: string): boolean {
  return /\b(requirements?|acceptance)\b/.test(heading) && !/\benvironment\b/.test(heading);
}

/** A name of its own in front of it, such as `auth/login` or R12; or else its words. */
function getNamed(text: string): { readonly id: string; readonly text: string } {
  const [, quoted, bare, rest = ''] = QUOTED.exec(text) ?? BARE.exec(text) ?? [];
  const id = quoted || bare;
  return !id || rest === '' ? { id: getSlug(text), text } : { id, text: rest };
}

const QUOTED = /^[*_[(]*(?:tag:\s*)?`([^`\s]+)`()[*_\])]*\s*[:.—–-]?[*_]*\s*(.*)$/;
/** Something has to set it apart: UTF-8 at the start of a sentence names nothing. */
const BARE = /^[*_[(]*()([A-Z]+-?\d+(?:\.\d+)*)(?:[*_\])]+|\s*[:—–]|\s-\s|\.\s)[*_:.\s—–-]*(.*)$/;

/** The words of a text as a name. */
export function getSlug(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
}
