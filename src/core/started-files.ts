import { getCommands, type Word } from './command-line.ts';

/** What a command line sets going that can be looked up in the project. */
export type Started =
  /** `isHeard`: something else in the line reads what it prints. */
  | { readonly kind: 'file'; readonly path: string; readonly isHeard: boolean }
  /** A file that is compared with something. */
  | { readonly kind: 'expected'; readonly path: string }
  | { readonly kind: 'make'; readonly folders: readonly string[]; readonly targets: readonly string[] }
  | { readonly kind: 'package'; readonly folders: readonly string[]; readonly script: string };

/** Where a line is run: the folders that its words may be meant from, likeliest first, and all files. */
export interface Ground {
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
}

const SHELLS = /^(?:ba|da|z|k)?sh$/;
const PYTHON = /^(?:python|pypy)[\d.]*$/;
const INTERPRETERS =
  /^(?:node|nodejs|tsx|ts-node|bun|deno|ruby|perl|php|lua|Rscript|jiti|vite-node|(?:python|pypy)[\d.]*)$/;
const MAKERS = /^(?:g?make|just|task)$/;
const PACKAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const COMPARERS = /^(?:diff|cmp)$/;
const WRAPPERS =
  /^(?:timeout|gtimeout|env|nice|ionice|time|nohup|exec|command|sudo|xargs|stdbuf|setsid|xvfb-run|dotenv|cross-env|npx|bunx|pnpx|uv|uvx|poetry|pipenv|rye|hatch|pdm|coverage|c8|nyc|if|then|else|elif|while|until|do|!|\{)$/;
const LOADS = /^(?:-r|--require|--import|--loader|--experimental-loader)$/;
const ENDINGS = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.py',
  '.sh',
  '/index.js',
  '/index.mjs',
  '/index.ts',
  '/__main__.py',
];

/** The project's own files that a command line runs or compares with, behind wrappers and in quoted lines too. */
export function getStarted(line: string, ground: Ground): readonly Started[] {
  const commands = getCommands(line);
  let { folders } = ground;
  return commands.flatMap((words, i) => {
    const values = words.map(word => word.value).filter((_, at, all) => !isAssignment(all, at));
    const inner = words.flatMap(({ value }) => getSubstitutions(value));
    const here = { ...ground, folders };
    const heard = inner.flatMap(text => getStarted(text, here).map(setHeard));
    if (/^(?:cd|pushd)$/.test(values[0] ?? '')) {
      folders = getMoved(folders, values[1] ?? '');
      return heard;
    }
    if (values[0] === 'cat' && isRunLater(commands.slice(i + 1))) return getFiles(values.slice(1), here);
    const started = getOfCommand(values, here);
    return [...heard, ...(isPiped(line, words, commands[i + 1]) ? started.map(setHeard) : started)];
  });
}

function getOfCommand(words: readonly string[], ground: Ground): readonly Started[] {
  const [program = '', ...rest] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (PACKAGERS.test(name)) {
    const script = getPackageScript(name, rest);
    if (script) return [{ kind: 'package', folders: ground.folders, script }];
    if (name !== 'bun') return getOfCommand(getUnwrapped(rest, ground), ground);
  }
  if (SHELLS.test(name)) return getOfShell(rest, ground);
  if (name === '.' || name === 'source') return getFiles(rest.slice(0, 1), ground);
  if (INTERPRETERS.test(name)) return getOfInterpreter(name, rest, ground);
  if (MAKERS.test(name)) return getOfMaker(rest, ground);
  if (COMPARERS.test(name))
    return rest.flatMap(word => getFound(word, ground, [''])).map(path => ({ kind: 'expected', path }));
  if (WRAPPERS.test(name)) return getOfCommand(getUnwrapped(rest, ground), ground);
  return getFiles([program], ground, ['']);
}

/** What is left when the wrapper's own words are taken away; nothing where that cannot be told. */
function getUnwrapped(words: readonly string[], ground: Ground): readonly string[] {
  const isKnown = (word: string) => {
    const name = word.slice(word.lastIndexOf('/') + 1);
    const isProgram = [SHELLS, INTERPRETERS, MAKERS, PACKAGERS, COMPARERS, WRAPPERS].some(set =>
      set.test(name),
    );
    return isProgram || name === 'source' || getFound(word, ground, ['']).length > 0;
  };
  for (const [at, word] of words.entries()) {
    if (isKnown(word)) return words.slice(at);
    const isOwn = /^-|^\w+=|^\d+(?:\.\d+)?[smhd]?$|^(?:run|exec|dlx|x)$/.test(word);
    if (!isOwn && !words[at - 1]?.startsWith('-')) return [];
  }
  return [];
}

function getOfShell(words: readonly string[], ground: Ground): readonly Started[] {
  const at = words.findIndex(word => /^-\w*c$/.test(word));
  return at === -1 ? getFiles(words, ground) : getStarted(words[at + 1] ?? '', ground);
}

function getOfInterpreter(name: string, words: readonly string[], ground: Ground): readonly Started[] {
  if (PYTHON.test(name)) {
    const at = words.indexOf('-m');
    const module = at === -1 ? null : (words[at + 1] ?? '').replaceAll('.', '/');
    if (module !== null) return getFiles([module, `src/${module}`], ground, ['.py', '/__main__.py']);
  }
  if (words.some(word => /^(?:-c|-e|-p|-pe|--eval|--print)$/.test(word))) return [];
  const loaded = words.filter((_, at) => LOADS.test(words[at - 1] ?? ''));
  const given = words.filter((word, at) => !word.startsWith('-') && !LOADS.test(words[at - 1] ?? ''));
  return [...loaded.flatMap(word => getFiles([word], ground)), ...getFiles(given, ground)];
}

function getOfMaker(words: readonly string[], ground: Ground): readonly Started[] {
  const at = words.indexOf('-C');
  const folders = at === -1 ? ground.folders : getMoved(ground.folders, words[at + 1] ?? '');
  const targets = words.filter((word, i) => !/^-|=/.test(word) && (at === -1 || i !== at + 1));
  return [{ kind: 'make', folders, targets }];
}

function getPackageScript(name: string, words: readonly string[]): string | null {
  const [first = '', second = ''] = words.filter(word => !word.startsWith('-'));
  if (first === 'run' || first === 'run-script') return second || null;
  if (first === 'test' || first === 't') return name === 'bun' ? null : 'test';
  const isDirect = name === 'yarn' || name === 'pnpm';
  return isDirect && first !== '' && !/^(?:exec|dlx|install|add|i|node)$/.test(first) ? first : null;
}

/** The first of some words that names a file. */
function getFiles(
  words: readonly string[],
  ground: Ground,
  endings: readonly string[] = ENDINGS,
): readonly Started[] {
  const found = words.flatMap(word => getFound(word, ground, endings))[0];
  return found === undefined ? [] : [{ kind: 'file', path: found, isHeard: false }];
}

function getFound(word: string, { folders, files }: Ground, endings: readonly string[]): readonly string[] {
  const plain = getAfterVariables(word).replace(/^\d*<(?!<)/, '');
  if (plain === '' || plain.startsWith('/') || plain.startsWith('-')) return [];
  const paths = [...new Set([...folders, ''])].map(folder => getJoined(folder, plain));
  const found = paths.flatMap(path => endings.map(ending => path + ending)).find(path => files.has(path));
  return found === undefined ? [] : [found];
}

/** What stands behind the last thing that only the shell knows; most of the time the folder of the script. */
function getAfterVariables(word: string): string {
  return word.replace(/^.*\$(?:\{[^}]*\}|\(.*\)|\w+)[)"]*\/?/s, '');
}

function getMoved(folders: readonly string[], to: string): readonly string[] {
  const plain = getAfterVariables(to);
  return plain.startsWith('/') ? folders : folders.map(folder => getJoined(folder, plain));
}

function getJoined(folder: string, rest: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${rest}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Whether what one command prints may be a program for one of the next. */
function isRunLater(next: readonly (readonly Word[])[]): boolean {
  return next.some(([first]) => SHELLS.test(first?.value ?? '') || INTERPRETERS.test(first?.value ?? ''));
}

function isAssignment(words: readonly string[], at: number): boolean {
  return words.slice(0, at + 1).every(word => /^[A-Za-z_]\w*=/.test(word));
}

function getSubstitutions(word: string): readonly string[] {
  return [...word.matchAll(/\$\(([^()]+)\)|`([^`]+)`/g)].map(([, dollar, tick]) => dollar ?? tick ?? '');
}

function setHeard(started: Started): Started {
  return started.kind === 'file' ? { ...started, isHeard: true } : started;
}

function isPiped(line: string, words: readonly Word[], next: readonly Word[] | undefined): boolean {
  const between = line.slice(words.at(-1)?.end ?? 0, next?.[0]?.start ?? line.length);
  return /(?<!\|)\|(?!\|)/.test(between);
}
