import { Journal } from '../../loop/journal.ts';
import type { OpenRecord } from './open-record.ts';

/** What has been recorded, as it is now; what is recorded with it is told to nobody. */
export async function openJournal(project: OpenRecord): Promise<Journal> {
  const journal = new Journal(await project.store(), async () => undefined);
  await journal.refresh();
  return journal;
}
