import { parse } from 'unbash';
import { parseAllDocuments } from 'yaml';

/** What is wrong with a shell script, and in which line. */
export function getShellProblem(text: string): string | null {
  const [error] = parse(text).errors ?? [];
  if (!error) return null;
  return `${error.message} (line ${text.slice(0, error.pos).split('\n').length})`;
}

/** What is wrong with YAML of one document or several. A file of its own: bundled, `import('yaml')` gives no names. */
export function getYamlProblem(text: string): string | null {
  const documents = parseAllDocuments(text);
  const errors = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  return errors[0]?.message.split('\n')[0] ?? null;
}
