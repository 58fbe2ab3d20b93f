import { parse } from 'unbash';

/** What is wrong with a shell script, and in which line. */
export function getShellProblem(text: string): string | null {
  const [error] = parse(text).errors ?? [];
  if (!error) return null;
  return `${error.message} (line ${text.slice(0, error.pos).split('\n').length})`;
}
