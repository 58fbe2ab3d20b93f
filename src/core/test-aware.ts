import { getRules, type Language, type Rule } from './test-aware-rules.ts';
import { isProbe } from './test-probes.ts';
import { getUnmasked } from './unmask.ts';

/** A line of product code that asks who is watching, or reaches for the one who watches. */
export interface TestAwareLine {
  readonly line: number;
  readonly text: string;
  readonly why: string;
  /** Honest code says such things too: worth telling, no ground for a rejection. */
  readonly isMild: boolean;
}

const PROBE = { why: 'looks for what is there only while tests run', isMild: false };

/** How far below a line its second half is looked for. */
const WINDOW = 8;

/** The lines among `lines` that no product code needs and that forgers do. */
export function getTestAwareLines(
  path: string,
  text: string,
  lines: readonly number[],
): readonly TestAwareLine[] {
  const language = getLanguage(path);
  if (language === null) return [];
  const code = text.split('\n').map(line => getUnmasked(getCode(line, language)));
  const rules = getRules(language).filter(rule => !rule.isImport || !isTestHelper(path));
  const isCommand = COMMAND_PATH.test(path) || text.startsWith('#!');
  const found: TestAwareLine[] = [];
  for (const line of lines) {
    const hits = rules.filter(each => matches(each, code, line - 1)).map(each => getForPath(each, isCommand));
    const said = code[line - 1] ?? '';
    const rule = hits.find(each => !each.isMild) ?? (isProbe(said) ? PROBE : hits[0]);
    if (!rule) continue;
    found.push({ line, text: said.trim().slice(0, 160), why: rule.why, isMild: rule.isMild ?? false });
  }
  return found;
}

/** Programs that people start by name, with words of their own. */
const COMMAND_PATH = /(^|\/)(bin|commands?)\/|(^|\/)(cli|main|__main__)\.\w+$/;

function getForPath(rule: Rule, isCommand: boolean): Rule {
  return rule.isMildInCommand && isCommand ? { ...rule, isMild: true } : rule;
}

function matches(rule: Rule, code: readonly string[], at: number): boolean {
  const line = code[at] ?? '';
  if (!rule.pattern.test(line) || (rule.and && !rule.and.test(line))) return false;
  if (rule.unless && code.slice(Math.max(0, at - WINDOW), at + WINDOW).some(near => rule.unless?.test(near)))
    return false;
  return rule.within === undefined || code.slice(at, at + WINDOW).some(near => rule.within?.test(near));
}

function getLanguage(path: string): Language | null {
  if (/\.([cm]?[jt]s|[jt]sx|vue|svelte)$/.test(path)) return 'js';
  return /\.pyi?$/.test(path) ? 'python' : null;
}

/** Files that exist for tests though they are none; they may import a runner, and nothing more. */
function isTestHelper(path: string): boolean {
  return /(^|[/._-])(tests?|testing|testkit|mocks?|fixtures?|spec|e2e|cypress|playwright|stories|story)([/._-]|$)/i.test(
    path,
  );
}

/** Without what stands in a comment: words about tests are no harm. */
function getCode(line: string, language: Language): string {
  if (language === 'python') return line.replace(/(^|\s)#.*$/, '');
  return /^\s*(\*|\/\*)/.test(line) ? '' : line.replace(/(^|\s)\/\/.*$/, '');
}
