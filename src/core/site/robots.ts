/** One line of robots.txt that speaks to us. */
interface RobotsRule {
  readonly allows: boolean;
  readonly path: string;
}

export type RobotsRules = readonly RobotsRule[];

/** The rules of all groups that name the agent, else of those for everybody (RFC 9309). */
export function parseRobots(text: string, agent: string): RobotsRules {
  const own: RobotsRule[] = [];
  const shared: RobotsRule[] = [];
  let isNamed = false;
  let targets: RobotsRule[][] = [];
  let isHead = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    const word = content.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (word === 'user-agent') {
      if (!isHead) targets = [];
      isHead = true;
      const name = /^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase();
      if (name === agent.toLowerCase()) {
        targets.push(own);
        isNamed = true;
      } else if (value === '*') targets.push(shared);
    } else if (word === 'allow' || word === 'disallow') {
      isHead = false;
      if (value === '') continue;
      for (const rules of new Set(targets)) rules.push({ allows: word === 'allow', path: value });
    }
  }
  return isNamed ? own : shared;
}

/** The longest match decides; of two as long, the one that allows. */
export function isAllowedByRobots(rules: RobotsRules, path: string): boolean {
  const asked = normalise(path);
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    if (!matchesRule(normalise(rule.path), asked)) continue;
    const isBetter = best === null || rule.path.length > best.path.length;
    if (isBetter || (rule.path.length === best?.path.length && rule.allows)) best = rule;
  }
  return best?.allows ?? true;
}

/** By hand and from left to right: a regular expression of many stars could take for ever. */
function matchesRule(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const [at, part] of rest.entries()) {
    const isLast = at === rest.length - 1;
    if (isLast && isWhole) return path.length - part.length >= from && path.endsWith(part);
    const found = path.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return !isWhole || from === path.length;
}

/** The same letters however they are escaped; `%2F` stays what it is. */
function normalise(path: string): string {
  return path
    .replace(/%[0-9a-f]{2}/gi, code => {
      const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(letter) ? letter : code.toUpperCase();
    })
    .replace(/[^\u0020-\u007e]+/g, text => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')));
}
