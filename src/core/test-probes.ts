/** Names that are there only while tests run. */
const MARKED: readonly string[] = [
  ...['NODE_TEST_CONTEXT', 'VITEST', 'VITEST_WORKER_ID', 'JEST_WORKER_ID', 'PYTEST_CURRENT_TEST'],
  'HARNESS_RUN',
  ...['/app/test/sum.test.js', '/app/src/sum.spec.ts', '/app/tests/test_sum.py', 'test_sum', '--test'],
  ...['vitest', '/app/node_modules/vitest/dist/worker.js', 'jest', 'jest-circus', '_pytest.python', 'pytest'],
  ...['node:internal/test_runner/test', 'mocha'],
];

/** Names of the same kinds that are there at any time. */
const PLAIN: readonly string[] = [
  ...['PATH', 'HOME', 'LANG', 'NODE_ENV', 'NODE_OPTIONS', 'VITE_API_URL', 'APP_KEY', 'CI', 'DEBUG'],
  ...['/app/src/sum.js', '/app/lib/main.ts', '/app/shop/tax.py', 'main', '--watch', 'serve', '<anonymous>'],
  ...[
    '/app/node_modules/react/index.js',
    'os',
    'sys',
    'json.decoder',
    'node:internal/modules/cjs/loader',
    '',
  ],
];

/** What a program can look at to find out who is watching. */
const SUBJECT =
  /\bprocess\.(env|argv|execArgv)\b|\.stack\b|\bsys\.(modules|argv|orig_argv)\b|\bos\.environ\b|inspect\.stack|_getframe|import\.meta\.env/;
const REGEX =
  /(?<![\w)\]])\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])*)\/([a-z]*)/g;
const ASKED =
  /\b(?:includes|startsWith|endsWith|indexOf|search|match|has|startswith|endswith|find|count)\(\s*(['"`])([^'"`\n]{2,40})\1|(['"])([^'"\n]{2,40})\3\s+in\b/g;

/** Whether a line looks for something that is there only while tests run, and not for what is always there. */
export function isProbe(line: string): boolean {
  return SUBJECT.test(line) && (getPatterns(line).some(isTelling) || getTexts(line).some(isTelling));
}

type Matches = (name: string) => boolean;

function getPatterns(line: string): readonly Matches[] {
  return [...line.matchAll(REGEX)].flatMap(([, source = '', flags = '']) => {
    try {
      const pattern = new RegExp(source.slice(0, 200), flags.replace(/[gy]/g, ''));
      return [(name: string) => pattern.test(name)];
    } catch {
      return [];
    }
  });
}

function getTexts(line: string): readonly Matches[] {
  return [...line.matchAll(ASKED)].map(([, , called, , within]) => {
    const text = called ?? within ?? '';
    return (name: string) => name.includes(text);
  });
}

/** One of the plain names may be caught by the way: no honest pattern catches many of the others. */
function isTelling(matches: Matches): boolean {
  const [marked, plain] = [MARKED.filter(matches).length, PLAIN.filter(matches).length];
  return plain === 0 ? marked > 0 : plain === 1 && marked > 2;
}
