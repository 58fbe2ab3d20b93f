import type { Pool, PoolClient, PoolConfig, QueryResultRow } from 'pg';
import type { Address } from './address.ts';
import { getPostgresError, isAnswered, isPassing, NoAnswer } from './failures.ts';

/** How long things may take; tests are in more of a hurry. */
export interface Patience {
  /** One call, from sending it to its answer. */
  readonly callMs: number;
  /** A call that reads much. */
  readonly readMs: number;
  /** All tries of a call together, once the server has answered before. */
  readonly retryMs: number;
  /** The same for the very first call. */
  readonly firstMs: number;
}

const PATIENCE: Patience = { callMs: 15_000, readMs: 120_000, retryMs: 30_000, firstMs: 5_000 };

export type Rows<Row extends QueryResultRow> = Promise<Row[]>;

/** A connection that is given to one piece of work, in one transaction. */
export interface Transaction {
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Rows<Row>;
}

/** A database that is called one statement at a time; each may be sent again when its answer is lost. */
export interface Database {
  readonly address: Address;
  call<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Rows<Row>;
  read<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Rows<Row>;
  /** Not tried again: whoever begins it knows what was done. */
  transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The library is loaded here, by the first who needs it: nobody without a URL ever does. */
export async function openDatabase(address: Address, patience: Partial<Patience> = {}): Promise<Database> {
  const limits = { ...PATIENCE, ...patience };
  const { default: pg } = await import('pg');
  const pool = new pg.Pool(getPoolConfig(address, limits, pg.types.getTypeParser));
  // A connection that breaks says so by itself, in use or not, and to nobody it would end the program.
  pool.on('error', () => undefined);
  pool.on('connect', client => void client.on('error', () => undefined));
  let hasAnswered = false;
  const run = async <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
    deadlineMs: number,
  ): Rows<Row> => {
    const rows = await retry(hasAnswered ? limits.retryMs : limits.firstMs, () =>
      callOnce<Row>(pool, { text, values, deadlineMs }),
    );
    hasAnswered = true;
    return rows;
  };
  const translate = <T>(work: Promise<T>): Promise<T> =>
    work.catch(error => {
      throw getPostgresError(error, address);
    });
  return {
    address,
    call: (text, values = []) => translate(run(text, values, limits.callMs)),
    read: (text, values = []) => translate(run(text, values, limits.readMs)),
    transact: work => translate(transact(pool, work, limits.readMs)),
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}

function getPoolConfig(
  { host, port, user, password, database, ssl, options }: Address,
  { callMs }: Patience,
  getTypeParser: (oid: number, format?: 'text' | 'binary') => unknown,
): PoolConfig {
  return {
    ...{ host, port, database, ssl },
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(options === undefined ? {} : { options }),
    application_name: 'harness',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: callMs,
    max: 5,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
    // Numbers of 64 bits come as text; none of ours needs more than a JavaScript number has.
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : getTypeParser(oid, format)) as typeof import('pg').types.getTypeParser,
    },
  };
}

const INT8 = 20;

interface Call {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly deadlineMs: number;
}

async function callOnce<Row extends QueryResultRow>(pool: Pool, call: Call): Rows<Row> {
  const client = await pool.connect();
  let broken = true;
  try {
    const rows = await query<Row>(client, call);
    broken = false;
    return rows;
  } catch (error) {
    broken = !isAnswered(error);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Statements have no names: behind a transaction pooler the next one may meet another server process. */
async function query<Row extends QueryResultRow>(
  client: PoolClient,
  { text, values, deadlineMs }: Call,
): Rows<Row> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(deadlineMs)), deadlineMs);
  });
  // What fails after its deadline has been told already.
  const answer = client.query<Row>(text, [...values]);
  answer.catch(() => undefined);
  try {
    return (await Promise.race([answer, late])).rows;
  } finally {
    clearTimeout(timer);
  }
}

async function retry<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  for (let pauseMs = 20; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() - startedMs > limitMs) throw error;
    }
    // With jitter, so that many workers get an even share.
    await new Promise(resolve => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
}

async function transact<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
  deadlineMs: number,
): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await query(client, { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [], deadlineMs });
    const result = await work({ query: (text, values = []) => query(client, { text, values, deadlineMs }) });
    await query(client, { text: 'COMMIT', values: [], deadlineMs });
    broken = false;
    return result;
  } finally {
    // A connection that is closed takes its transaction back.
    client.release(broken);
  }
}
