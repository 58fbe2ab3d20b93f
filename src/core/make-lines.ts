/** The command lines behind some targets of a Makefile or justfile, with those of what they need first. */
export function getMakeLines(text: string, targets: readonly string[]): readonly string[] {
  const rules = getRules(text.replaceAll('\\\n', ' '));
  const first = [...rules.keys()].find(name => !name.startsWith('.'));
  const wanted = new Set(targets.length > 0 ? targets : [first ?? '']);
  for (const name of wanted) for (const need of rules.get(name)?.needs ?? []) wanted.add(need);
  return [...wanted].flatMap(name => rules.get(name)?.lines ?? []);
}

interface Rule {
  readonly needs: string[];
  readonly lines: string[];
}

function getRules(text: string): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  let open: readonly Rule[] = [];
  for (const line of text.split('\n')) {
    if (/^[\t ]+\S/.test(line)) {
      for (const rule of open) rule.lines.push(line.trim().replace(/^[@+-]+/, ''));
      continue;
    }
    const [, names, needs = '', inline] =
      /^([^\s:#=][^:#=]*?)\s*::?(?!=)\s*([^;#]*)(?:;(.*))?/.exec(line) ?? [];
    if (names === undefined) continue;
    open = names.split(/\s+/).map(name => {
      const rule = rules.get(name) ?? { needs: [], lines: [] };
      rules.set(name, rule);
      return rule;
    });
    for (const rule of open) {
      rule.needs.push(...needs.split(/\s+/).filter(need => need !== ''));
      if (inline) rule.lines.push(inline.trim());
    }
  }
  return rules;
}
