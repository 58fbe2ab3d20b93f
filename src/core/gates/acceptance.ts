import { HarnessError } from '../base/failure.ts';
import { getNearest } from '../base/nearest.ts';
import { readMarkdown } from './markdown-lines.ts';

/** What has to hold before a release, as a person wrote it. */
export interface Criterion {
  readonly tag: string;
  readonly text: string;
  /** From 1, for messages. */
  readonly line: number;
  /** A person has ticked it. */
  readonly isTicked: boolean;
  /** Test files that show it. */
  readonly tests: readonly string[];
  /** Tasks that it names itself, by their ids. */
  readonly plans: readonly string[];
  readonly connections: readonly string[];
}

export interface Acceptance {
  readonly criteria: readonly Criterion[];
  /** Variables that the product needs where it runs. */
  readonly environment: readonly { readonly name: string; readonly line: number }[];
}

interface Problem {
  readonly line: number;
  readonly message: string;
}

const RELEASE = 'release criteria';
const ENVIRONMENT = 'environment requirements';

/** Reads an acceptance file, or throws one error with every line that is wrong: half of it would be no gate at all. */
export function parseAcceptance(text: string, file: string): Acceptance {
  const problems: Problem[] = [];
  const criteria: (Criterion & Lists)[] = [];
  const environment: { name: string; line: number }[] = [];
  let hasSection = false;
  for (const { line, headings, bullet } of readMarkdown(text)) {
    const isRelease = headings.includes(RELEASE);
    if (isRelease) hasSection = true;
    if (bullet === null) continue;
    if (headings.includes(ENVIRONMENT))
      for (const name of getNames(bullet.text))
        if (!environment.some(known => known.name === name)) environment.push({ name, line });
    if (!isRelease) continue;
    const owner = criteria.at(-1);
    if (bullet.isNested && owner) addDetail(owner, bullet.text, line, problems);
    else if (bullet.isNested) problems.push({ line, message: 'belongs to no criterion' });
    else addCriterion(criteria, bullet, line, problems);
  }
  if (!hasSection) problems.push({ line: 1, message: 'has no section "## Release criteria"' });
  else if (criteria.length === 0 && problems.length === 0)
    problems.push({ line: 1, message: 'names no criterion under "## Release criteria"' });
  if (problems.length > 0) throw getError(file, problems);
  return { criteria, environment };
}

interface Lists {
  readonly tests: string[];
  readonly plans: string[];
  readonly connections: string[];
}

const HEADER = /^\*\*\s*tag\s*:\s*`([^`]*)`\s*\*\*\s*(?:[—–:-]\s*)?(.*)$/i;

function addCriterion(
  criteria: (Criterion & Lists)[],
  { text, isTicked }: { readonly text: string; readonly isTicked: boolean },
  line: number,
  problems: Problem[],
): void {
  const [, tag = '', words = ''] = HEADER.exec(text) ?? [];
  const name = tag.trim();
  if (name === '' || /\s/.test(name))
    problems.push({ line, message: 'must begin with **tag: `…`**, a name without blanks' });
  const first = criteria.find(known => known.tag === name);
  if (first && name !== '')
    problems.push({ line, message: `has the tag ${name}, which line ${first.line} has already` });
  const own = { tag: name, text: getUnquoted(words.trim()), line, isTicked };
  criteria.push({ ...own, tests: [], plans: [], connections: [] });
}

const DETAILS: Readonly<Record<string, keyof Lists>> = {
  'tested by': 'tests',
  test: 'tests',
  tests: 'tests',
  'covered by plans': 'plans',
  'covered by plan': 'plans',
  'covered by tasks': 'plans',
  plans: 'plans',
  tasks: 'plans',
  'required connections': 'connections',
  connections: 'connections',
  requires: 'connections',
};

function addDetail(owner: Lists, text: string, line: number, problems: Problem[]): void {
  const [, before = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
  const key = before.trim().toLowerCase();
  const list = DETAILS[key];
  if (list === undefined) {
    // Words of a person's own are theirs; a slip in one of ours would take a test out of the gate.
    const near = key.length < SHORTEST_SLIP ? null : getNearest(key, Object.keys(DETAILS).filter(isLong));
    if (near) problems.push({ line, message: `says "${before.trim()}"; did you mean "${near}"?` });
    return;
  }
  if (list === 'connections') return void owner.connections.push(...(value === '' ? [] : [value]));
  const items = getItems(value);
  if (items.length === 0) problems.push({ line, message: `names nothing after "${before.trim()}:"` });
  const bad = list === 'tests' ? items.find(isOutside) : undefined;
  if (bad !== undefined)
    problems.push({ line, message: `names ${bad}, which is no path inside the repository` });
  owner[list].push(...items.filter(item => !owner[list].includes(item)));
}

/** Short words are near too much that people write. */
const SHORTEST_SLIP = 6;
const isLong = (word: string) => word.length > SHORTEST_SLIP;

/** What stands in back quotes; without any, what stands between commas. */
function getItems(value: string): string[] {
  const quoted = [...value.matchAll(/`([^`]+)`/g)].map(([, item = '']) => item.trim());
  return (quoted.length > 0 ? quoted : value.split(',').map(item => item.trim())).filter(item => item !== '');
}

function isOutside(path: string): boolean {
  return /^(\/|\\|~|-|[A-Za-z]:)/.test(path) || path.split(/[/\\]/).includes('..') || /\p{Cc}/u.test(path);
}

function getNames(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.trim());
  const names = quoted.length > 0 ? quoted : [/^\S+/.exec(text)?.[0] ?? ''];
  return names.filter(name => /^[A-Z][A-Z0-9_]*$/.test(name));
}

function getUnquoted(text: string): string {
  return /^(["'“‘])(.*)(["'”’])$/.exec(text)?.[2] ?? text;
}

function getError(file: string, problems: readonly Problem[]): HarnessError {
  const lines = problems.map(({ line, message }) => `${file}:${line} ${message}`);
  const [first = '', ...others] = lines;
  const message =
    others.length === 0 ? first : `${file} has ${lines.length} problems:\n  ${lines.join('\n  ')}`;
  const field = `line ${problems[0]?.line}`;
  return new HarnessError('config', message, { file, field, fix: FIX });
}

const FIX = 'Write - [ ] **tag: `area/name`** — "what has to hold" for each, and indent what belongs to it.';
