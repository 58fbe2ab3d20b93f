import { getBaseName } from '../base/tree-path.ts';
import { getCommands } from './command-line.ts';

const HERE_DOCUMENT = /<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2(?=\n|$)/g;
const REDIRECTION = /^(?:\d?|&)>{1,2}(.*)$/;

/** Places that belong to no project: other descriptors, and what is thrown away. */
const ELSEWHERE = ['/dev/', '/tmp/', '&'];

/** Files that a shell line changes by itself, as far as its words tell; code that it runs may change more. */
export function getWrites(line: string): readonly string[] {
  return getCommands(line.replace(HERE_DOCUMENT, '')).flatMap(words => {
    const values = words.map(word => word.value);
    return [...getRedirected(values), ...getChanged(values)].filter(
      path => path !== '' && !ELSEWHERE.some(start => path.startsWith(start)),
    );
  });
}

function getRedirected(values: readonly string[]): readonly string[] {
  return values.flatMap((value, i) => {
    const target = REDIRECTION.exec(value)?.[1];
    return target === undefined ? [] : [target || (values[i + 1] ?? '')];
  });
}

/** Commands of git that write files of the tree. */
const GIT_WRITES = new Set(
  'apply checkout restore stash reset merge revert cherry-pick rebase am'.split(' '),
);

function getChanged([program = '', ...args]: readonly string[]): readonly string[] {
  const operands = args.filter(arg => !arg.startsWith('-') && !arg.includes('<') && !arg.includes('>'));
  switch (getBaseName(program)) {
    case 'sed':
    case 'perl':
      return args.some(isInPlace) ? operands.slice(-1) : [];
    case 'tee':
    case 'patch':
    case 'rm':
      return operands.length > 0 ? operands : ['.'];
    case 'mv':
    case 'cp':
      return operands.slice(-1);
    case 'git':
      return GIT_WRITES.has(operands[0] ?? '') && !args.includes('-b') ? [operands.at(-1) ?? '.'] : [];
    default:
      return [];
  }
}

function isInPlace(arg: string): boolean {
  return arg.startsWith('--in-place') || (arg.startsWith('-') && !arg.startsWith('--') && arg.includes('i'));
}
