import type { Store } from '../../../ports/index.ts';
import { getMovedError } from '../moved.ts';
import type { QuickIndex } from '../quick-index.ts';
import { createToken } from '../token.ts';
import { readAddress } from './address.ts';
import { type Database, openDatabase, type Patience } from './database.ts';
import { type LayoutOptions, MIGRATIONS, migrate } from './migrations.ts';
import { createPostgresStore } from './postgres-store.ts';
import { readIndex } from './read-index.ts';
import { toText } from './texts.ts';

export interface OpenPostgresOptions extends LayoutOptions {
  readonly url: string;
  /** What tells this project from others in the same database, the same for every clone of it. */
  readonly project: { readonly key: string; readonly name: string };
  /** Of what is remembered, this clone sees its own alone. */
  readonly clone?: string;
  readonly token?: () => string;
  readonly patience?: Partial<Patience>;
}

export interface PostgresStore extends Store {
  /** What `status` and `next` are answered from, as of now. */
  readIndex(): Promise<QuickIndex>;
}

/** Opens the records of a project in a database, making what is not there yet. */
export async function openPostgres(options: OpenPostgresOptions): Promise<PostgresStore> {
  const db = await openDatabase(readAddress(options.url), options.patience);
  try {
    await migrate(db, options);
    const { id, movedTo } = await openProject(db, options.project);
    if (movedTo !== null) throw getMovedError(db.address.where, movedTo);
    const writer = (options.migrations ?? MIGRATIONS).at(-1)?.to ?? 0;
    const { token = createToken, clone = '' } = options;
    const store = createPostgresStore({ db, project: id, clone, writer, token });
    return { ...store, readIndex: () => readIndex(db, id) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The number of a project by its key. */
export async function openProject(
  db: Database,
  { key, name }: OpenPostgresOptions['project'],
): Promise<{ readonly id: number; readonly movedTo: string | null }> {
  const [row] = await db.call<{ answer: { id: number; movedTo: string | null } }>(
    'SELECT harness.open_project($1::jsonb) AS answer',
    [JSON.stringify({ key: toText(key), name: toText(name) })],
  );
  if (!row) throw new Error('open_project gave nothing');
  return row.answer;
}
