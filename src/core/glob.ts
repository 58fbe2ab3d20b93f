const cache = new Map<string, RegExp>();

/** Whether a slash-separated path matches any of the globs (`**`, `*`, `?`, `{a,b}`). */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some(glob => getPattern(glob).test(path));
}

function getPattern(glob: string): RegExp {
  const known = cache.get(glob);
  if (known) return known;
  const pattern = new RegExp(`^${translate(glob)}$`);
  cache.set(glob, pattern);
  return pattern;
}

/** A bare name (no slash) matches at any depth, as in .gitignore; a trailing slash means everything below. */
function translate(glob: string): string {
  let text = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  if (!text.includes('/')) text = `**/${text}`;
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
    else if (c === '{') {
      out += '(?:';
      braces++;
    } else if (c === '}' && braces > 0) {
      out += ')';
      braces--;
    } else if (c === ',' && braces > 0) out += '|';
    else out += c.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  }
  return braces > 0 ? escapeAll(text) : out;
}

function escapeAll(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
