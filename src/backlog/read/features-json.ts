import { type Dialect, getEntryReader, OUTPUT_FILES, TAGS } from './entry-fields.ts';
import type { FieldReader } from './field-reader.ts';

/** `features.json`: the default, with a list of features and `passes` on each. */
export const FEATURES_JSON: Dialect = {
  list: 'features',
  noun: 'feature',
  names: { output_files: OUTPUT_FILES, tags: TAGS },
  rootFields: ['$schema', 'project', 'generated_by', 'last_updated', 'features', 'instructions', 'version'],
  freeRootFields: ['last_updated'],
  freeFields: [],
  flag: {
    key: 'passes',
    done: true,
    open: false,
    isDone: value =>
      value === undefined || value === null ? false : typeof value === 'boolean' ? value : null,
  },
  read: getEntryReader({
    noun: 'feature',
    names: { output_files: OUTPUT_FILES, tags: TAGS },
    ownFields: ['visual_verification'],
    isDone: fields => readPasses(fields),
    needsTest: true,
  }),
};

function readPasses(fields: FieldReader): boolean {
  const raw = fields.get('passes');
  if (raw === undefined || typeof raw === 'boolean') return raw ?? false;
  fields.refuse('passes', 'must be true or false', 'Write "passes": false; the harness sets it to true.');
  return false;
}
