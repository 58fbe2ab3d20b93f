import type { TaskDef } from '../model/task.ts';

/** Where agents with a research tool put what it found. */
export const RESEARCH_FOLDER = 'search_results';

const MAX_FILES = 30;
const MAX_RESULTS = 8;
const MAX_CHARS = 4_000;
const MAX_TEXT_CHARS = 240;

/** Raw results of searches; not where a task speaks of that folder, whose files may be what it is about. */
export function isResearch(path: string, def: TaskDef): boolean {
  if (!new RegExp(`^${RESEARCH_FOLDER}/.*\\.json$`).test(path)) return false;
  const { title, verificationSteps, mayChange, outputs = [], testFile, validation } = def;
  const words = [title, ...verificationSteps, ...mayChange, ...outputs, testFile, validation?.command];
  return !words.some(text => text?.includes(RESEARCH_FOLDER));
}

/** What was found, in a page that the next session can read instead: titles, addresses, the first words. */
export function getResearchOverview(
  files: readonly { readonly path: string; readonly text: string | null }[],
): string {
  const sections = files.slice(0, MAX_FILES).map(({ path, text }) => {
    const found = getResults(text).slice(0, MAX_RESULTS).map(getLine).filter(Boolean);
    return [
      `## ${path.slice(RESEARCH_FOLDER.length + 1)}`,
      '',
      ...(found.length > 0 ? found : ['- nothing that can be read']),
    ].join('\n');
  });
  return ['# Research overview', ...sections].join('\n\n').slice(0, MAX_CHARS);
}

/** The results of a file, whichever list they are in. */
function getResults(text: string | null): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return [];
  }
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).find(one => Array.isArray(one)) ?? [value];
}

function getLine(result: unknown): string {
  if (typeof result !== 'object' || result === null) return '';
  const fields = new Map(Object.entries(result));
  const pick = (...names: readonly string[]): string => {
    const value = names.map(name => fields.get(name)).find(one => typeof one === 'string');
    return String(value ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_TEXT_CHARS);
  };
  const parts = [
    pick('title', 'name', 'query'),
    pick('url', 'link'),
    pick('snippet', 'summary', 'description', 'content', 'text'),
  ];
  const line = parts.filter(part => part !== '').join(': ');
  return line === '' ? '' : `- ${line}`;
}
