import { getBaseName, getExtension, getFolder, joinPath } from '../base/tree-path.ts';

/** A text of a tree, as one that may name other files. */
export interface NamingText {
  readonly path: string;
  readonly text: string;
  /** Names count only where a quote stands beside them: the rest is code or prose. */
  readonly isQuoted: boolean;
  /** Names that are judged elsewhere. */
  readonly except: ReadonlySet<string>;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORD = new Set(`${LETTERS}${LETTERS.toUpperCase()}0123456789_`);
const PART = new Set([...WORD, ...'-.@+~/']);
const QUOTES = new Set('\'"`');

/** Whether a text names a file by its path, from where the text is or from the top of the tree. */
export function namesFile(naming: NamingText, path: string, files: ReadonlySet<string>): boolean {
  if (!naming.text.includes(getBaseName(path))) return false;
  const isMeant = (text: string) =>
    findTokens(text, getBaseName(path), naming.isQuoted).some(
      token => !naming.except.has(token) && leadsTo(naming.path, token, path, files),
    );
  // In code a path may be given part by part.
  return isMeant(naming.text) || (naming.isQuoted && isMeant(getJoined(naming.text)));
}

function getJoined(text: string): string {
  return text.split("', '").join('/').split('", "').join('/');
}

/** Every path in a text that ends in this name. */
function findTokens(text: string, name: string, isQuoted: boolean): readonly string[] {
  const tokens = new Set<string>();
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    let start = at;
    while (start > 0 && PART.has(text.charAt(start - 1))) start--;
    const end = at + name.length;
    if (goesOn(text, end) || !'/'.includes(text.slice(start, at).slice(-1))) continue;
    const hasQuote =
      QUOTES.has(text.charAt(start - 1)) || text.charAt(start - 1) === '}' || QUOTES.has(text.charAt(end));
    if (isQuoted ? hasQuote : !isComment(text, start)) tokens.add(text.slice(start, end));
  }
  return [...tokens];
}

/** Whether a name is only the beginning of a longer one. */
function goesOn(text: string, end: number): boolean {
  const next = text.charAt(end);
  return WORD.has(next) || next === '-' || next === '/' || (next === '.' && WORD.has(text.charAt(end + 1)));
}

const COMMENTS = ['#', '//', '<!--', ';'];

function isComment(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', at) + 1, at);
  return before.includes(' # ') || COMMENTS.some(mark => before.trimStart().startsWith(mark));
}

function leadsTo(from: string, token: string, path: string, files: ReadonlySet<string>): boolean {
  if (token.startsWith('//')) return false;
  const near = joinPath(getFolder(from), token);
  if (near === path) return true;
  const plain = token.startsWith('./') ? token.slice(2) : token;
  if (plain.startsWith('/')) return isServed(from, plain, path, files);
  return plain.includes('/') && !plain.startsWith('..') && plain === path && !files.has(near);
}

/** A path from the root of a site, or of a machine that the tree is copied to. */
function isServed(from: string, token: string, path: string, files: ReadonlySet<string>): boolean {
  if (token === `/${path}`) return true;
  if (!isPage(from)) {
    const isCopy = (file: string) => token.endsWith(`/${file}`);
    return isCopy(path) && ![...files].some(file => isCopy(file) && file.length > path.length);
  }
  const root = path.endsWith(token) ? path.slice(0, -token.length) : null;
  if (root === null || (root.includes('/') && !from.startsWith(`${root}/`))) return false;
  return !files.has(token.slice(1)) && ![...files].some(file => file !== path && file.endsWith(token));
}

/** Whether a file is a page that a browser loads others from. */
export function isPage(path: string): boolean {
  return getExtension(path) === 'html' || getExtension(path) === 'htm';
}

/** What a module of Python is called by others, from each folder that could be the first; nothing for other files. */
export function getDotted(path: string): string | null {
  if (getExtension(path) !== 'py') return null;
  const plain = path.slice(path.startsWith('src/') ? 4 : 0, -'.py'.length);
  const module = getBaseName(plain) === '__init__' ? getFolder(plain) : plain;
  return module === '' ? null : module.split('/').join('.');
}

/** Whether a text starts a module of Python: `module:name`, or `-m module`. */
export function startsModule({ path, text }: NamingText, dotted: string, name: string | null): boolean {
  const word = name === null ? dotted : `${dotted}:${name}`;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, next] = [text.charAt(at - 1), text.charAt(at + word.length)];
    if (PART.has(before) || WORD.has(next) || next === '-' || isComment(text, at)) continue;
    if (name !== null || text.slice(0, at).endsWith('-m ')) return true;
    // A single word before a colon is many things.
    const isSure = dotted.includes('.') || getBaseName(path) === 'pyproject.toml';
    if (isSure && next === ':' && WORD.has(text.charAt(at + word.length + 1))) return true;
  }
  return false;
}
