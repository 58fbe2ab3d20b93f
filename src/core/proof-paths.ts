const FIXTURES =
  /(^|\/)(fixtures?|__fixtures__|goldens?|snapshots?|__snapshots__|test-?data|test_data|cassettes?)\//i;
const DATA = /\.(json[5cl]?|ndjson|ya?ml|toml|txt|csv|tsv|xml|golden|expected|approved|snap|out|ref|dat)$/i;
const PAPERS = /(^|\/)(readme|changelog|license|notice|authors)[^/]*$|^docs?\//i;
const HELPER = /(^|[/._-])(tests?|testing|testkit|test-?utils?|test-?helpers?)([/._-]|$)/i;
const STAND_IN = /(^|[/._-])(mocks?|fakes?|stubs?|fixtures?|goldens?)([/._-]|$)/i;
const JUDGE =
  /(^|[/._-])(checks?|verify|verif\w+|validat\w+|assert\w*|accept\w*|smoke|qa|ci|lint|golden|expected|tests?|testing|tools?|scripts?)([/._-]|$)/i;
const PRODUCT = /(^|\/)(src|lib|app|apps|bin|cmd|server|client|web|public|components|pages|routes)\//;
const ASSERTS =
  /\b(?:from|import|require)\s*\(?\s*['"](?:node:)?(?:assert|test|vitest|chai|expect|@jest\/globals|@vitest\/[\w-]+)(?:\/[\w-]+)?['"]|^\s*(?:from|import)\s+(?:pytest|unittest)\b/m;

/** A folder that by its name holds what tests expect. */
export function isFixture(path: string): boolean {
  return FIXTURES.test(path);
}

/** A file that is read rather than run, and by programs rather than people. */
export function isData(path: string): boolean {
  return DATA.test(path) && !PAPERS.test(path);
}

/** Code that by its name, or by what it imports, is there to help tests. Products have fakes and fixtures, too. */
export function isHelper(path: string, text: string): boolean {
  return HELPER.test(path) || ASSERTS.test(text) || (STAND_IN.test(path) && !PRODUCT.test(path));
}

/** A file that by its name judges others, or stands where such files do. */
export function isJudge(path: string): boolean {
  return JUDGE.test(path);
}

/** A file that stands where products do; one that is called a check is a check there, too. */
export function isProduct(path: string, files: ReadonlySet<string>): boolean {
  if (HELPER.test(path)) return false;
  if (PRODUCT.test(path)) return !/(^|\/)(check|verify|smoke|accept)[\w.-]*$/.test(path);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return folder !== '' && files.has(`${folder}__init__.py`) && !JUDGE.test(path);
}

/** Texts that can name other files. */
export function canName(path: string): boolean {
  return /\.([cm]?[jt]sx?|vue|svelte|py|sh|rb|go|rs|java|kt|php|cs|swift|ex|exs|c|cc|cpp|h|html?|css|scss|sql|ejs|hbs)$/.test(
    path,
  );
}

/** Whether a text names a file between quotes: by its own name, or as anything that is in one of its folders. */
export function isNamedIn(text: string, path: string): boolean {
  const folders = path.split('/').map(getEscaped);
  const name = folders.pop() ?? '';
  const all = folders.length === 0 ? '' : `|(?:${folders.join('|')})(?:/?['"\`]|/[$\\{%*])`;
  return new RegExp(`['"\`/.](?:${name}['"\`]${all})`).test(text);
}

function getEscaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
