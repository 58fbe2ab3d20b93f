import { getBaseName } from '../../core/base/tree-path.ts';
import { getCommands, isAssignment, type Word } from '../../core/shell/command-line.ts';
import { RUNNERS } from '../../core/testing/runners.ts';

/** What a script of a manifest comes to once the scripts and wrappers in it are read through. */
export interface ReadScript {
  /** Commands that run one after the other, each as long as the one before was content. */
  readonly lines: readonly string[];
  /** Whether something was left out that changes no result, such as a measurement of coverage. */
  readonly isShortened: boolean;
}

type Scripts = Readonly<Record<string, string>>;

/** What is known of the scripts: who runs them, and which of their commands somebody wants to see. */
interface Reading {
  readonly scripts: Scripts;
  readonly manager: string;
  readonly isWanted: (line: string) => boolean;
}

const MAX_DEPTH = 5;

/** Reads a script with what runs before it; null where the shell does more with it than run commands in turn. */
export function readScript(reading: Reading, name: string, depth = 0): ReadScript | null {
  const { scripts } = reading;
  if (depth > MAX_DEPTH) return null;
  const before = scripts[`pre${name}`] === undefined ? [] : [readNamed(reading, `pre${name}`, depth)];
  return join([...before, readLine(reading, scripts[name] ?? '', depth)]);
}

/** Another script: opened where something in it is wanted, else as it is called. */
function readNamed(reading: Reading, name: string, depth: number): ReadScript | null {
  const read = readScript(reading, name, depth + 1);
  if (read?.isShortened || read?.lines.some(reading.isWanted)) return read;
  return { lines: [`${reading.manager} run ${name}`], isShortened: false };
}

/** A line without what only measures coverage or leads to another script. */
function readLine(reading: Reading, text: string, depth: number): ReadScript | null {
  const pieces = getPieces(text);
  return pieces && join(pieces.map(piece => readPiece(reading, piece, depth)));
}

function join(all: readonly (ReadScript | null)[]): ReadScript | null {
  const read = all.filter(one => one !== null);
  if (read.length < all.length) return null;
  return { lines: read.flatMap(({ lines }) => lines), isShortened: read.some(one => one.isShortened) };
}

/** The commands of a line that runs one after the other; a pretty printer of TAP at its end is none of them. */
function getPieces(text: string): readonly string[] | null {
  const commands = getCommands(text);
  const pieces: string[] = [];
  let end = 0;
  for (const [at, words] of commands.entries()) {
    const [first, last] = [words[0] as Word, words.at(-1) as Word];
    const between = text.slice(end, first.start).trim();
    end = last.end;
    if (between === '|' && at === commands.length - 1 && /^(?:tap-|faucet|colortape)/.test(first.value))
      continue;
    if (between !== (at === 0 ? '' : '&&')) return null;
    pieces.push(text.slice(first.start, last.end));
  }
  return text.slice(end).trim() === '' ? pieces : null;
}

function readPiece(reading: Reading, piece: string, depth: number): ReadScript | null {
  const words = getCommands(piece)[0] ?? [];
  const at = words.findIndex(
    ({ value }) => !isAssignment(value) && !/^cross-env(?:-shell)?$|^env$/.test(value),
  );
  if (at < 0) return { lines: [piece], isShortened: false };
  const set = words.slice(0, at).filter(({ value }) => isAssignment(value));
  const prefix = set.map(word => `${piece.slice(word.start, word.end)} `).join('');
  const own = piece.slice((words[at] as Word).start);
  const values = words.slice(at).map(({ value }) => value);
  const names = getScriptNames(reading.scripts, values);
  if (names !== null) {
    const read = join(names.map(name => readNamed(reading, name, depth)));
    return (
      read && {
        ...read,
        lines: withArguments(
          read.lines.map(line => prefix + line),
          own,
        ),
      }
    );
  }
  const inner = getInner(own);
  if (inner === null) return { lines: [prefix + own], isShortened: false };
  const read = readPiece(reading, inner, depth + 1);
  return (
    read && { lines: read.lines.map(line => prefix + line), isShortened: read.isShortened || isWrapper(own) }
  );
}

/** The scripts that a command leads to; null where it leads to none that could be read. */
function getScriptNames(
  scripts: Scripts,
  [program = '', ...rest]: readonly string[],
): readonly string[] | null {
  const isNamed = (name: string) => scripts[name] !== undefined;
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(program)) {
    const wanted = rest.filter(word => !word.startsWith('-'));
    const found = wanted.flatMap(word => getMatching(scripts, word));
    return found.length > 0 && wanted.every(word => getMatching(scripts, word).length > 0) ? found : null;
  }
  if (!/^(?:npm|yarn|pnpm|bun)$/.test(program)) return null;
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  const words = own.filter(word => !/^(?:-s|--silent|run|run-script)$/.test(word));
  const [name = ''] = words;
  if (words.length !== 1 || (program === 'bun' && !own.includes('run'))) return null;
  if (program === 'npm' && !own.some(word => word.startsWith('run')) && !/^(?:test|t)$/.test(name))
    return null;
  return isNamed(name) ? [name] : null;
}

function getMatching(scripts: Scripts, pattern: string): readonly string[] {
  const regex = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^:]*')}$`);
  return Object.keys(scripts).filter(name => regex.test(name));
}

/** What stands after ` -- ` goes to the last command. */
function withArguments(lines: readonly string[], own: string): readonly string[] {
  const more = / -- (.*)$/s.exec(own)?.[1];
  return more === undefined
    ? lines
    : lines.map((line, at) => (at === lines.length - 1 ? `${line} ${more}` : line));
}

const isWrapper = (line: string): boolean => /^(?:\S*\/)?(?:nyc|c8)\s/.test(line);

/** The command behind `npx`, a path into installed packages, or a measurement of coverage. */
function getInner(line: string): string | null {
  const npx = /^(?:npx|pnpm exec|yarn exec|bunx)\s+(?:(?:--no-install|--no|-y|--yes|--)\s+)*(?=[^-\s])/.exec(
    line,
  );
  if (npx) return line.slice(npx[0].length);
  const bin = /^(?:\.\/)?node_modules\/\.bin\//.exec(line);
  if (bin) return line.slice(bin[0].length);
  if (!isWrapper(line)) return null;
  const words = getCommands(line)[0] ?? [];
  const start = words.find(({ value }, at) => at > 0 && PROGRAMS.has(getBaseName(value)));
  return start ? line.slice(start.start) : null;
}

/** What a measurement of coverage is wrapped around. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...Object.values(RUNNERS).flatMap(({ tools = [] }) => tools.flatMap(({ programs }) => programs)),
  ...['ts-mocha', 'lab', 'bron', 'npm', 'npx', 'yarn', 'pnpm', 'ts-node', 'cross-env'],
]);
