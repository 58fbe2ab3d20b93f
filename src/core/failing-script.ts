interface Language {
  readonly files: RegExp;
  /** A line that ends the program badly. */
  readonly fail: (nonce: string) => string;
  /** Ways to end it well before that line is reached. */
  readonly ends: RegExp;
}

const LANGUAGES: readonly Language[] = [
  {
    files: /\.(?:ba|z|k)?sh$/,
    fail: nonce => `echo ${nonce} >&2; exit 1`,
    ends: /(?:^|[;&|{(]|\b(?:then|else|do)\b)\s*(?:exit(?!\s+[1-9])|exec)\b/,
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    fail: nonce => `;throw new Error('${nonce}');`,
    ends: /\bprocess\.(?:exit|reallyExit)\s*\((?!\s*[1-9])/,
  },
  {
    files: /\.py$/,
    fail: nonce => `raise SystemExit('${nonce}')`,
    ends: /\b(?:sys\.exit|os\._exit|exit|quit|main)\s*\((?!\s*[1-9])|\bSystemExit\b/,
  },
];

/**
 * A plain script of which only the exit code is known, with a line that must make it fail: before its last
 * statement where that one ends the program. Null where it may end in good order anywhere else.
 */
export function getFailingScript(path: string, text: string, nonce: string): string | null {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (!language) return null;
  const lines = text.split('\n');
  const last = lines.findLastIndex(
    line => /^[^\s})\]#]/.test(line) && !/^(?:fi|done|esac|else)\b/.test(line),
  );
  const firstEnd = lines.findIndex(line => language.ends.test(line));
  if (firstEnd !== -1 && firstEnd < last) return null;
  const at = firstEnd === -1 ? lines.length : last;
  return [...lines.slice(0, at), language.fail(nonce), ...lines.slice(at), ''].join('\n');
}
