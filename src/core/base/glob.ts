/** One pattern for a whole list: asking a hundred globs one after the other is what takes the time. */
const byList = new WeakMap<readonly string[], RegExp>();
const byText = new Map<string, RegExp>();

/** Whether a slash-separated path matches any of the globs (`**`, `*`, `?`, `{a,b}`). */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.length > 0 && getPattern(globs).test(path);
}

function getPattern(globs: readonly string[]): RegExp {
  const known = byList.get(globs);
  if (known) return known;
  const text = globs.join('\0');
  const pattern = byText.get(text) ?? createPattern(globs);
  byText.set(text, pattern);
  byList.set(globs, pattern);
  return pattern;
}

const ANYWHERE = '(?:.*/)?';

/** Most globs begin anywhere: that is looked for once, and then for all of them at the same place. */
function createPattern(globs: readonly string[]): RegExp {
  const sources = globs.map(translate);
  const anywhere = sources
    .filter(source => source.startsWith(ANYWHERE))
    .map(source => source.slice(ANYWHERE.length));
  const fixed = sources.filter(source => !source.startsWith(ANYWHERE));
  const parts = [...(anywhere.length > 0 ? [`${ANYWHERE}(?:${anywhere.join('|')})`] : []), ...fixed];
  return new RegExp(`^(?:${parts.join('|')})$`, 's');
}

/**
 * A bare name (no slash) matches at any depth, as in .gitignore; a leading slash means the root, a
 * trailing one everything below. Braces that do not pair stand for themselves.
 */
export function getRooted(glob: string): string {
  const text = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  return text.includes('/') ? text.replace(/^\//, '') : `**/${text}`;
}

function translate(glob: string): string {
  const text = getRooted(glob);
  const hasPairs = arePaired(text);
  let out = '';
  let braces = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (text.startsWith('**/', i)) {
      out += ANYWHERE;
      i += 2;
    } else if (text.startsWith('**', i)) {
      out += '.*';
      i += 1;
    } else if (c === '*') out += '[^/]*';
    else if (c === '?') out += '[^/]';
    else if (c === '{' && hasPairs) {
      out += '(?:';
      braces++;
    } else if (c === '}' && braces > 0) {
      out += ')';
      braces--;
    } else if (c === ',' && braces > 0) out += '|';
    else out += c.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  }
  return out;
}

/** Whether every brace has its other half. */
export function arePaired(text: string): boolean {
  let open = 0;
  for (const c of text) {
    if (c === '{') open++;
    if (c === '}' && --open < 0) return false;
  }
  return open === 0;
}
