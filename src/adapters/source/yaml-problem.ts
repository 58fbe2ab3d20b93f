import { parseAllDocuments } from 'yaml';

/** What is wrong with YAML of one document or several. A file of its own: bundled, `import('yaml')` gives no names. */
export function getYamlProblem(text: string): string | null {
  const documents = parseAllDocuments(text);
  const errors = Array.isArray(documents) ? documents.flatMap(({ errors }) => errors) : [];
  return errors[0]?.message.split('\n')[0] ?? null;
}
