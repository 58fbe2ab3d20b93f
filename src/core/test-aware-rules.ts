export type Language = 'js' | 'python';

/** What a line says that gives it away. */
export interface Rule {
  readonly why: string;
  readonly pattern: RegExp;
  /** What the same line must say besides. */
  readonly and?: RegExp;
  /** What the line or one of the next must say. */
  readonly within?: RegExp;
  /** Only told, never a rejection. */
  readonly isMild?: boolean;
  /** What near by, before it or after it, makes it a thing that honest code does. */
  readonly unless?: RegExp;
  /** Only told in a file that is a command of its own: its words are its own business. */
  readonly isMildInCommand?: boolean;
  /** Of no interest in a file that helps tests. */
  readonly isImport?: boolean;
}

/** The table of what forgers write and product code does not. */
export function getRules(language: Language): readonly Rule[] {
  return language === 'js' ? JS : PYTHON;
}

const UNDER_TEST = 'asks whether it is under test';
const RUNNER = 'reaches into the test runner';
const READS_TESTS = 'reads a test file';
const EXIT = 'sets the exit code behind the runner’s back';
const LOADER = 'changes how modules are loaded';
const PATCHES = 'replaces an assertion or something that assertions stand on';
const STACK = 'looks at who called it';
const PROCESS = 'looks at the process that judges it';

const TEST_NAME = String.raw`[\w./\\-]*(?:[\w-]\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|[/\\'"\`])test_\w+\.py|\w_test\.(?:py|go))`;
const TEST_WORD =
  /(?<![.\w])_*(vitest|jest|mocha|pytest|unittest|tests?)\b|\.\\?(test|spec)\\?\.[cm]?[jt]s|test_|node:test/i;
const GREEN_EXIT = /exitCode\s*=\s*(0|undefined|null|void 0)\b|\bexit\(\s*0?\s*\)|reallyExit/;
const ENV_OF_RUNNERS =
  /\b(VITEST(_\w+)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|PYTEST_\w+|TAP_CHILD_ID|HARNESS_(RUN|TASK_ID|TASK_FILE|ATTEMPT|SESSION|ROLE|ROUND|PROMPT_FILE))\b/;
const OWN_PROC =
  /\/proc\/(self|thread-self|['"`]\s*\+\s*(process\.ppid|os\.getppid|ppid)|\$?\{[^}]*ppid[^}]*\})[^\s'"`]*\/(cmdline|environ|fd|maps|mem)\b/;

const JS: readonly Rule[] = [
  { why: UNDER_TEST, pattern: ENV_OF_RUNNERS },
  { why: UNDER_TEST, pattern: /NODE_ENV['"\]]*\s*[!=]==?\s*['"`]test['"`]/, isMild: true },
  { why: UNDER_TEST, pattern: /\btypeof\s+(describe|jest|vi|vitest|expect|beforeEach|afterEach)\b/ },
  {
    why: UNDER_TEST,
    pattern:
      /\b(globalThis|global)\s*(\?\.|\.|\[\s*['"`])\s*(describe|it|jest|vi|expect|beforeEach|afterEach)\b/,
  },
  {
    why: UNDER_TEST,
    pattern: /process\.(argv|execArgv|title|mainModule)\b|npm_lifecycle_event|NODE_OPTIONS/,
    and: /\b(vitest|jest|mocha)\b|['"`]--test|test-reporter|\.(test|spec)\.|outputFile/i,
  },
  {
    why: UNDER_TEST,
    pattern: /process\.(argv|execArgv|title|mainModule)\b|npm_lifecycle_event|NODE_OPTIONS/,
    and: /['"`]test['"`]/,
    isMildInCommand: true,
  },
  { why: RUNNER, pattern: /__vitest_\w+|__jest\w*__|JEST_MATCHERS_OBJECT|\$\$jest-matchers/i },
  { why: RUNNER, pattern: /Symbol\.for\(\s*['"`][^'"`]*(jest|vitest|mocha|chai)/i },
  {
    why: RUNNER,
    pattern:
      /(\bfrom|\bimport|\brequire)\s*\(?\s*['"`](vitest|node:test|jest|mocha|chai|ava|tap|sinon|expect|@vitest\/\w+|@jest\/\w+|@testing-library\/[\w-]+)(\/[^'"`]*)?['"`]/,
    isImport: true,
  },
  { why: RUNNER, pattern: /getBuiltinModule\(\s*['"`](node:)?(test|assert)\b/ },
  {
    why: RUNNER,
    pattern: /\b(expect|jest|vi)\.(extend|setState|addEqualityTesters|fn|mock|spyOn)\s*\(/,
    isImport: true,
  },
  { why: RUNNER, pattern: /process\.(_getActiveHandles|_getActiveRequests|binding)\s*\(/ },
  { why: READS_TESTS, pattern: new RegExp(`['"\`]${TEST_NAME}['"\`]`, 'i') },
  {
    why: READS_TESTS,
    pattern: /\b(readFile(Sync)?|readdir(Sync)?|createReadStream|openSync|globSync|glob)\s*\(/,
    and: /\.(test|spec)\.|__tests__|['"`]test_|['"`/](\.{0,2}\/)?tests?(\/|['"`])/,
  },
  {
    why: EXIT,
    pattern: /process\.(on|once|prependListener|addListener)\(\s*['"`](exit|beforeExit)['"`]/,
    within: GREEN_EXIT,
  },
  { why: EXIT, pattern: /process\.(reallyExit|exit|abort)\s*=(?!=|>)|\breallyExit\b/ },
  { why: EXIT, pattern: /Object\.defineProperty\(\s*process\s*,\s*['"`]exit/ },
  {
    why: LOADER,
    pattern:
      /\bModule\._(load|resolveFilename|extensions|cache)\b|Module\.prototype\.(_compile|require|load)\b/,
  },
  { why: LOADER, pattern: /require\.(cache|extensions)\s*\[[^\]]+\]\s*=(?!=)|syncBuiltinESMExports/ },
  {
    why: PATCHES,
    pattern: /(?<![\w.])(assert|expect|chai)(\.(strict|prototype|Assertion))*\.\w+\s*=(?!=|>)/,
  },
  { why: PATCHES, pattern: /require\(\s*['"`](node:)?assert(\/strict)?['"`]\s*\)(\.\w+)+\s*=(?!=|>)/ },
  {
    why: PATCHES,
    pattern: /Object\.(assign|definePropert(y|ies)|setPrototypeOf)\(\s*(assert|expect|chai)\b/,
  },
  { why: PATCHES, pattern: /\bAssertionError\.prototype\b|\bAssertionError\s*=(?!=|>)/ },
  {
    why: PATCHES,
    pattern:
      /\b(Object\.(is|keys|getPrototypeOf|getOwnPropertyNames|entries)|JSON\.stringify|Number\.isNaN|Array\.isArray|Reflect\.ownKeys)\s*=(?!=|>)/,
  },
  {
    why: PATCHES,
    pattern: /\b(Object|Error)\.prototype\.(toString|valueOf|hasOwnProperty|constructor)\s*=(?!=|>)/,
  },
  {
    why: PATCHES,
    pattern: /^\s*(import|const|let|var)\b.*\b(node:assert|from ['"`]assert)\b/,
    within: /\w\.\w+\s*=\s*\(?\s*(async\s*)?(\([^)]*\)|\w+)\s*=>|\w\.\w+\s*=\s*function\b/,
    isMild: true,
  },
  { why: STACK, pattern: /\.stack\b|captureStackTrace|getCallSites?\b/, and: TEST_WORD },
  { why: STACK, pattern: /Error\.prepareStackTrace\s*=/ },
  { why: PROCESS, pattern: OWN_PROC },
  { why: PROCESS, pattern: /\bprocess\.pid\s*([<>%&]|[!=]==?\s*(?!1\b)\d)|\d\s*[<>]=?\s*process\.pid\b/ },
  { why: PROCESS, pattern: /\bprocess\.(stdout|stdin|stderr)\??\.isTTY\b/, isMild: true },
  { why: PROCESS, pattern: /process\.ppid\b/, within: /cmdline|environ|\/fd\b|process\.kill/ },
];

const PYTHON: readonly Rule[] = [
  { why: UNDER_TEST, pattern: ENV_OF_RUNNERS },
  { why: UNDER_TEST, pattern: /['"](_?pytest|unittest|nose|conftest)['"]\s+(not\s+)?in\s+(sys\.)?modules/ },
  { why: UNDER_TEST, pattern: /sys\.modules(\.get)?\s*[[(]\s*['"](_?pytest|unittest|nose|conftest)/ },
  { why: UNDER_TEST, pattern: /sys\.(argv|orig_argv)\b/, and: /pytest|unittest|py\.test|test_|junit/ },
  {
    why: RUNNER,
    pattern: /^\s*(from|import)\s+(_?pytest|unittest|nose|pluggy|conftest)\b/,
    isImport: true,
  },
  { why: RUNNER, pattern: /(import_module|__import__)\(\s*['"](_?pytest|unittest|nose|pluggy|conftest)/ },
  { why: RUNNER, pattern: /\bdef\s+pytest_\w+|\bpytest_plugins\b|\bTestReport\b/ },
  { why: READS_TESTS, pattern: new RegExp(`['"]${TEST_NAME}['"]|['"]test_\\w+\\.py['"]`, 'i') },
  {
    why: READS_TESTS,
    pattern: /\b(open|read_text|glob|rglob|listdir|walk|getsource)\s*\(/,
    and: /['"/]test_|_test\.py|['"/](\.{0,2}\/)?tests?(\/|['"])/,
  },
  {
    why: STACK,
    pattern: /inspect\.(stack|currentframe|getouterframes)\s*\(|sys\._getframe\s*\(/,
    within: TEST_WORD,
  },
  { why: STACK, pattern: /\bf_back\b.*\bf_(locals|globals)\b/ },
  { why: STACK, pattern: /traceback\.(extract_stack|format_stack)\(/, within: TEST_WORD },
  { why: STACK, pattern: /gc\.get_(objects|referrers)\s*\(/, isMild: true },
  { why: EXIT, pattern: /\bos\._exit\s*\(/, isMild: true },
  { why: EXIT, pattern: /atexit\.register\s*\(/, within: /_exit\(|report|xml|junit/ },
  { why: EXIT, pattern: /\bsys\.(exit|excepthook)\s*=(?!=)/ },
  { why: PATCHES, pattern: /\bbuiltins\.\w+\s*=(?!=)|__builtins__\s*[[.]/ },
  { why: PATCHES, pattern: /\b(AssertionError|TestCase)\b[\w.]*\s*=(?!=)|\w\.assert[A-Z_]\w*\s*=(?!=)/ },
  { why: PATCHES, pattern: /setattr\(\s*(builtins|unittest|pytest|AssertionError|TestCase)\b/ },
  {
    why: PATCHES,
    pattern: /\bdef\s+__eq__\b/,
    within: /^\s*return\s+True\s*$|:\s*return\s+True\s*$/,
    isMild: true,
  },
  {
    why: LOADER,
    pattern: /sys\.(meta_path|path_hooks)\.(insert|append)|sys\.modules\s*\[\s*[frbu]*['"][^\]]+\]\s*=(?!=)/,
  },
  {
    why: LOADER,
    pattern: /sys\.modules\s*\[(?!__name__)[^\]'"]+\]\s*=(?!=)/,
    // The recipe of importlib's own manual.
    unless: /\bmodule_from_spec\s*\(/,
  },
  { why: PROCESS, pattern: OWN_PROC },
  { why: PROCESS, pattern: /\bos\.getpid\(\)\s*([<>%&]|[!=]=\s*(?!1\b)\d)/ },
  { why: PROCESS, pattern: /\bsys\.(stdout|stdin|stderr)\.isatty\(|\bos\.isatty\(/, isMild: true },
  { why: PROCESS, pattern: /os\.getppid\s*\(/, within: /cmdline|environ|\/fd\b|os\.kill/ },
];
