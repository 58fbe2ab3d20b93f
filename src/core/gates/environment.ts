/** A variable that the product needs, and whether somebody has said what it is. */
export interface EnvironmentNeed {
  readonly name: string;
  readonly line: number;
  readonly status: 'set' | 'missing';
}

/** What stands where nobody has filled anything in. */
const PLACEHOLDER =
  /^(?:<.*>|\.{3}|…|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|it|this)|fix[-_ ]?me|todo|tbd|x{3,}|placeholder|none|null|undefined|your[-_ ].*)$/i;

/** Holds what is needed against an example file, and against what is set where the question is asked; values stay there. */
export function getEnvironmentNeeds(
  needs: readonly { readonly name: string; readonly line: number }[],
  example: string | null,
  env: Readonly<Record<string, string | undefined>>,
): readonly EnvironmentNeed[] {
  const given = getValues(example ?? '');
  return needs.map(({ name, line }) => {
    const isSet = [given.get(name), env[name]].some(isFilled);
    return { name, line, status: isSet ? 'set' : 'missing' };
  });
}

function isFilled(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && !PLACEHOLDER.test(value.trim());
}

function getValues(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const quoted = /^(["'])(.*?)\1/.exec(raw);
    found.set(name, quoted ? (quoted[2] ?? '') : raw.replace(/(?:^|\s+)#.*$/, '').trim());
  }
  return found;
}
