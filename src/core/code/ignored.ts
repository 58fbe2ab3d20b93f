import { matchesAny } from '../base/glob.ts';
import { joinPath } from '../base/tree-path.ts';

/**
 * Whether texts of `.gitignore`, by the folder that each lies in, leave a path out: something makes it. A line for
 * all files of a kind says nothing of any one of them.
 */
export function isIgnored(path: string, rules: ReadonlyMap<string, string>): boolean {
  const folders: string[] = [''];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  let answer = false;
  for (const folder of folders) {
    for (const line of getLines(rules.get(folder) ?? '')) {
      const isBack = line.startsWith('!');
      if (!isBack && isOfKind(line)) continue;
      if (matchesAny(path, getGlobs(isBack ? line.slice(1) : line, folder))) answer = !isBack;
    }
  }
  return answer;
}

function getLines(text: string): readonly string[] {
  const lines = text.split('\n').map(line => line.trim());
  return lines.filter(line => line !== '' && !line.startsWith('#'));
}

/** `*.js`, not `generated/*`. */
function isOfKind(line: string): boolean {
  const parts = line.split('/').filter(part => part !== '' && part !== '**');
  const last = parts.at(-1) ?? '*';
  return last.includes('*') && (last !== '*' || parts.length === 1);
}

/** The same line as globs: the file itself, and everything below a folder of that name. */
function getGlobs(line: string, folder: string): readonly string[] {
  const isFolder = line.endsWith('/');
  const plain = isFolder ? line.slice(0, -1) : line;
  const start = `/${joinPath(folder, plain.includes('/') ? plain : `**/${plain}`)}`;
  return isFolder ? [`${start}/**`] : [start, `${start}/**`];
}
