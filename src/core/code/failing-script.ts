import { getExtension } from '../base/tree-path.ts';
import { SCRIPT } from './source-files.ts';

/** A plain script with a line in it that says a word and ends it badly. */
export interface FailingScript {
  readonly text: string;
  /** Nothing comes before the line: it says whether anything of the script can fail, not whether its end can. */
  readonly isFirst: boolean;
}

const SHELL: ReadonlySet<string> = new Set('sh bash zsh ksh'.split(' '));

function getFailingLine(path: string, nonce: string): string | null {
  const extension = getExtension(path);
  if (SHELL.has(extension)) return `echo ${nonce} >&2; exit 1`;
  if (SCRIPT.has(extension)) return `;throw new Error('${nonce}');`;
  return extension === 'py' ? `raise SystemExit('${nonce}')` : null;
}

/**
 * The places to try, best first: the end, before the last statement since that may end the program, and the
 * beginning. Nothing for a language that is not known.
 */
export function getFailingScripts(path: string, text: string, nonce: string): readonly FailingScript[] {
  const line = getFailingLine(path, nonce);
  if (line === null) return [];
  const lines = text.split('\n');
  const put = (at: number): FailingScript => ({
    text: [...lines.slice(0, at), line, ...lines.slice(at), ''].join('\n'),
    isFirst: at <= first,
  });
  const first = text.startsWith('#!') ? 1 : 0;
  return [...new Set([lines.length, Math.max(first, lines.findLastIndex(isOutermost)), first])].map(put);
}

/** Whether a script has a word of its own for ending early: without one, whoever keeps its end from being reached is not it. */
export function mayEndItself(text: string): boolean {
  return /\b(?:exit|_exit|reallyExit|exec|quit|main|SystemExit)\b/.test(text);
}

const CLOSING = new Set(['fi', 'done', 'esac', 'else']);

/** Whether a line begins a statement at the left margin. */
function isOutermost(line: string): boolean {
  const [start = ''] = line;
  const [word = ''] = line.split(' ', 1);
  return start.trim() !== '' && !'})]#'.includes(start) && !CLOSING.has(word);
}
