import { HarnessError } from '../../core/base/failure.ts';

/** Where the records went, in the table `meta` of a store that nobody may use any more. */
export const MOVED_KEY = 'store.moved';

/** Said to whoever still opens a store that has been moved. */
export function getMovedError(where: string, to: string): HarnessError {
  return new HarnessError(
    'state',
    `the records of this project are no longer in ${where}: they were moved to ${to}`,
    {
      file: where,
      field: 'store.url',
      fix: 'set store.url (or HARNESS_STORE_URL) to where they are now; without either they are in the state directory',
    },
  );
}
