import { getCommands } from './command-line.ts';

/** Files that a shell line changes by itself, as far as its words tell; code that it runs may change more. */
export function getWrites(line: string): readonly string[] {
  const script = line.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2(?=\n|$)/g, '');
  return getCommands(script).flatMap(words => {
    const values = words.map(word => word.value);
    return [...getRedirected(values), ...getChanged(values)].filter(
      path => !/^(\/dev\/|\/tmp\/|&|$)/.test(path),
    );
  });
}

function getRedirected(values: readonly string[]): readonly string[] {
  return values.flatMap((value, i) => {
    const match = /^(\d?|&)>{1,2}(.*)$/.exec(value);
    if (!match) return [];
    return [match[2] || (values[i + 1] ?? '')];
  });
}

function getChanged([program = '', ...args]: readonly string[]): readonly string[] {
  const operands = args.filter(arg => !arg.startsWith('-') && !/[<>]/.test(arg));
  switch (program.replace(/^.*\//, '')) {
    case 'sed':
    case 'perl':
      return args.some(arg => /^-\w*i/.test(arg)) ? operands.slice(-1) : [];
    case 'tee':
    case 'patch':
    case 'rm':
      return operands.length > 0 ? operands : ['.'];
    case 'mv':
    case 'cp':
      return operands.slice(-1);
    case 'git':
      return /^(apply|checkout|restore|stash|reset|merge|revert|cherry-pick|rebase|am)$/.test(
        operands[0] ?? '',
      ) && !args.includes('-b')
        ? [operands.at(-1) ?? '.']
        : [];
    default:
      return [];
  }
}
