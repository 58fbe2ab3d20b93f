const cache = new Map<string, RegExp>();

/** Whether a slash-separated path matches any of the globs (`**`, `*`, `?`, `{a,b}`). */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some(glob => getPattern(glob).test(path));
}

function getPattern(glob: string): RegExp {
  const known = cache.get(glob);
  if (known) return known;
  const pattern = new RegExp(`^${translate(glob)}$`, 's');
  cache.set(glob, pattern);
  return pattern;
}

/**
 * A bare name (no slash) matches at any depth, as in .gitignore; a leading slash means the root, a
 * trailing one everything below. Braces that do not pair stand for themselves.
 */
function translate(glob: string): string {
  let text = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  if (!text.includes('/')) text = `**/${text}`;
  text = text.replace(/^\//, '');
  const hasPairs = arePaired(text);
  let out = '';
  let braces = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (text.startsWith('**/', i)) {
      out += '(?:.*/)?';
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

function arePaired(text: string): boolean {
  let open = 0;
  for (const c of text) {
    if (c === '{') open++;
    if (c === '}' && --open < 0) return false;
  }
  return open === 0;
}
