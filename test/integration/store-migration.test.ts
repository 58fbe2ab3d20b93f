import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/adapters/store/driver.ts';
import { type MigrationReport, readSchemaStatus } from '../../src/adapters/store/migrations.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { MIGRATIONS } from '../../src/adapters/store/schema.ts';
import { getStorePath } from '../../src/adapters/store/store-files.ts';
import { HARNESS_VERSION, SCHEMA_VERSION } from '../../src/core/base/version.ts';
import { note } from '../contracts/store-fixture.ts';
import { useStateDirs } from '../support/temp-dir.ts';

const makeStateDir = useStateDirs();
const NOW = SCHEMA_VERSION;
const NEXT = [
  ...MIGRATIONS,
  { to: NOW + 1, up: (db: Database) => db.exec('CREATE TABLE extra (x TEXT) STRICT') },
];
const nowMs = () => Date.UTC(2026, 0, 16, 10, 20, 30);

describe('a store of an older schema', () => {
  it('is migrated after a copy that can be put in its place', async () => {
    const stateDir = await makeStore();
    let report: MigrationReport | null = null;
    const onMigrated = (done: MigrationReport) => {
      report = done;
    };
    const store = await openStore({ stateDir, migrations: NEXT, nowMs, onMigrated });
    const backup = `${stateDir}.backup.20260116-102030`;
    expect(report).toEqual({ from: NOW, to: NOW + 1, backup });
    expect(await store.read({})).toHaveLength(3);
    await store.append({ stream: 'main', expectedVersion: 3, events: [note('after')], atMs: 2 });
    await store.close();
    expect(readSchemaStatus(stateDir, NEXT)).toMatchObject({ current: NOW + 1, needsMigration: false });
    expect(readdirSync(backup).sort()).toEqual(['.gitignore', 'store-created', 'store.db']);
    expect(readdirSync(dirname(stateDir)).filter(name => name.endsWith('.partial'))).toEqual([]);

    renameSync(stateDir, `${stateDir}.new`);
    renameSync(backup, stateDir);
    const restored = await openStore({ stateDir, quickCheck: true });
    expect(await restored.read({})).toHaveLength(3);
    await restored.close();
  });

  it('is migrated without a copy only when told so', async () => {
    const stateDir = await makeStore();
    const store = await openStore({ stateDir, migrations: NEXT, backupBeforeMigrate: false });
    await store.close();
    expect(readdirSync(dirname(stateDir))).toEqual([basename(stateDir)]);
  });

  it('is left alone when the config says abort', async () => {
    const stateDir = await makeStore();
    await expect(openStore({ stateDir, migrations: NEXT, onOlderState: 'abort' })).rejects.toMatchObject({
      code: 'state',
      details: { field: 'compatibility.on_older_state', fix: 'run harness migrate' },
    });
    expect(readSchemaStatus(stateDir, NEXT)).toMatchObject({
      current: NOW,
      supported: NOW + 1,
      needsMigration: true,
    });
  });

  it('is as before when a migration fails half-way', async () => {
    const stateDir = await makeStore();
    const failing = [...NEXT, { to: NOW + 2, up: (db: Database) => db.exec('CREATE TABLE events (x)') }];
    await expect(openStore({ stateDir, migrations: failing })).rejects.toThrow();
    expect(readSchemaStatus(stateDir)).toMatchObject({ current: NOW });
    const db = openDatabase(getStorePath(stateDir));
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'extra'").all()).toEqual([]);
    db.close();
  });

  it('is migrated once when two open it at the same time', async () => {
    const stateDir = await makeStore();
    const reports: MigrationReport[] = [];
    const options = {
      stateDir,
      migrations: NEXT,
      nowMs,
      onMigrated: (r: MigrationReport) => reports.push(r),
    };
    const stores = await Promise.all([openStore(options), openStore(options), openStore(options)]);
    for (const store of stores) await store.close();
    expect(reports).toHaveLength(1);
  });
});

it('a store of the first layout is read as it was, with a copy made and a checksum for every event', async () => {
  const stateDir = await makeStore();
  const before = await openStore({ stateDir });
  const events = await before.read({});
  await before.close();
  const db = openDatabase(getStorePath(stateDir));
  db.exec(`ALTER TABLE events DROP COLUMN sum; DROP TABLE saved; PRAGMA user_version = 1;
    UPDATE meta SET value = '1' WHERE key = 'store.schema'`);
  db.close();
  expect(openQuickIndex(stateDir)?.view()).toBeDefined();
  const reports: MigrationReport[] = [];
  const store = await openStore({ stateDir, nowMs, onMigrated: report => reports.push(report) });
  expect(reports).toEqual([{ from: 1, to: NOW, backup: `${stateDir}.backup.20260116-102030` }]);
  expect(await store.read({})).toEqual(events);
  await store.close();
});

it('an event that was changed behind our back is never taken for a fact', async () => {
  const stateDir = await makeStore();
  const db = openDatabase(getStorePath(stateDir));
  db.exec("UPDATE events SET body = replace(body, 'note', 'nope') WHERE seq = 2");
  db.close();
  const store = await openStore({ stateDir, quickCheck: true });
  await expect(store.read({})).rejects.toMatchObject({
    code: 'state',
    message: expect.stringContaining('event 2 is not what was written'),
    details: { file: getStorePath(stateDir), fix: expect.stringContaining('run harness again') },
  });
  await store.close();
});

describe('a store of a newer schema', () => {
  it('is refused with the version that wrote it and what to do', async () => {
    const stateDir = await makeStore(NEXT);
    const refusal = {
      code: 'state',
      details: { file: getStorePath(stateDir), fix: expect.stringMatching(/^update/) },
    };
    await expect(openStore({ stateDir })).rejects.toMatchObject(refusal);
    await expect(openStore({ stateDir })).rejects.toThrow(
      `written by Harness ${HARNESS_VERSION} (schema ${NOW + 1})`,
    );
    expect(() => openQuickIndex(stateDir)).toThrow(`schema ${NOW + 1}`);
    expect(readSchemaStatus(stateDir)).toEqual({
      current: NOW + 1,
      supported: NOW,
      needsMigration: false,
      madeBy: HARNESS_VERSION,
    });
  });

  it('is used with a warning when the config says so', async () => {
    const stateDir = await makeStore(NEXT);
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const store = await openStore({ stateDir, onNewerState: 'warn', onWarning });
    expect(await store.read({})).toHaveLength(3);
    await store.close();
    expect(warnings).toEqual([expect.stringContaining(`schema ${NOW + 1}`)]);
  });
});

it('a process that has the store open cannot write after another has migrated it', async () => {
  const stateDir = await makeStore();
  const old = await openStore({ stateDir });
  const migrated = await openStore({ stateDir, migrations: NEXT });
  const late = old.append({ stream: 'main', expectedVersion: 3, events: [note('late')], atMs: 2 });
  await expect(late).rejects.toMatchObject({ code: 'state' });
  expect(await migrated.read({})).toHaveLength(3);
  await old.close();
  await migrated.close();
});

it('asking for the schema of a project without a store creates nothing', () => {
  const stateDir = join(makeStateDir(), 'none');
  mkdirSync(stateDir);
  expect(readSchemaStatus(stateDir)).toMatchObject({ current: null, needsMigration: false });
  expect(existsSync(getStorePath(stateDir))).toBe(false);
});

async function makeStore(migrations = MIGRATIONS): Promise<string> {
  const stateDir = makeStateDir();
  const store = await openStore({ stateDir, migrations });
  const events = [note('1'), note('2'), note('3')];
  await store.append({ stream: 'main', expectedVersion: 0, events, atMs: 1 });
  await store.close();
  return stateDir;
}
