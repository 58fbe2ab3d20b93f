import { getShellQuoted } from '../base/shell-quoted.ts';

/** What git is told to take these files, whatever it ignores: a folder with a dot is often ignored as a whole. */
export function getAddArgs(paths: readonly string[]): readonly string[] {
  return ['add', ...(paths.some(path => /(?:^|\/)\.[^./][^/]*\//.test(path)) ? ['-f'] : [])];
}

/** The line that commits these files, for somebody to paste. */
export function getCommitLine(paths: readonly string[], message: string, git = 'git'): string {
  const files = paths.map(getShellQuoted).join(' ');
  const quoted = /^[\w .:,-]+$/.test(message) ? `"${message}"` : getShellQuoted(message);
  return `${git} ${getAddArgs(paths).join(' ')} ${files} && ${git} commit -m ${quoted}`;
}
