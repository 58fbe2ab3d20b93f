import { parse } from 'yaml';

/** One plan file, taken apart: what its head says, and what its sections list. */
export interface PlanText {
  readonly head: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** The list items under each heading, by the heading's words in lower case. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
}

/** Reads a Markdown plan: YAML between `---` lines first, where there is any. Throws on YAML that is none. */
export function readPlanText(text: string): PlanText {
  const head = getHead(text);
  const values: unknown = head === null ? {} : (parse(head.yaml) ?? {});
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new Error('the lines between --- must be fields with values');
  const body = head === null ? text : text.slice(head.end);
  const title = /^#\s+(.+?)\s*#*$/m.exec(body)?.[1] ?? '';
  return { head: values as Record<string, unknown>, title, sections: getSections(body) };
}

/** The same text with one field of its head set, quoted as it was; a head is made where there is none. */
export function setHeadField(text: string, key: string, value: string): string {
  return replaceField(text, key, old => (/^["']/.test(old) ? `${old[0]}${value}${old[0]}` : value));
}

/** The same text whatever a field of its head says, and however that is quoted. */
export function withoutHeadField(text: string, key: string): string {
  return replaceField(text, key, () => 'x');
}

function replaceField(text: string, key: string, getValue: (old: string) => string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const head = getHead(text);
  if (head === null) return `---${eol}${key}: ${getValue('')}${eol}---${eol}${eol}${text}`;
  const line = new RegExp(`^(${key}:)([ \\t]*)("[^"\\n]*"|'[^'\\n]*'|[^\\s#]*)`, 'm').exec(head.yaml);
  const [whole = '', name = '', gap = '', old = ''] = line ?? [];
  const yaml = line
    ? `${head.yaml.slice(0, line.index)}${name}${gap || ' '}${getValue(old)}${head.yaml.slice(line.index + whole.length)}`
    : `${head.yaml}${key}: ${getValue('')}${eol}`;
  return text.slice(0, head.start) + yaml + text.slice(head.start + head.yaml.length);
}

function getHead(text: string): { yaml: string; start: number; end: number } | null {
  const match = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match?.index !== 0) return null;
  const [whole, fence = '', yaml = ''] = match;
  return { yaml, start: fence.length, end: whole.length };
}

function getSections(body: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let items: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    const heading = /^#{2,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading) {
      items = [];
      sections.set(heading.toLowerCase(), items);
    }
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/.exec(line)?.[1];
    if (item) items.push(item);
  }
  return sections;
}
