import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/store/driver.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { getStorePath } from '../../src/adapters/store/store-files.ts';
import { HarnessError } from '../../src/core/base/failure.ts';
import { note } from '../contracts/store-fixture.ts';
import { useStateDirs } from '../support/temp-dir.ts';

const EVENTS = 200;
const makeStateDir = useStateDirs();

describe('a damaged store', () => {
  it.each<[string, (path: string) => void]>([
    ['missing', path => rmSync(path)],
    ['emptied', path => truncateSync(path, 0)],
    ['cut in the header', path => truncateSync(path, 60)],
    ['cut to one page', path => truncateSync(path, 4096)],
    ['cut in the middle', path => truncateSync(path, readFileSync(path).length / 2)],
    ['filled with zero bytes', path => writeFileSync(path, Buffer.alloc(readFileSync(path).length))],
    ['another file', path => writeFileSync(path, 'not a database at all\n'.repeat(500))],
    ['zeroed behind the header', path => overwrite(path, 4096, Buffer.alloc(8192))],
    ['told to be schema 0', path => overwrite(path, 60, Buffer.from([0, 0, 0, 0]))],
    ['told to be of something else', path => overwrite(path, 68, Buffer.from([1, 2, 3, 4]))],
  ])('(%s) is refused, left as it is, and never started empty over', async (_, damage) => {
    const stateDir = await makeUsedStore();
    const path = getStorePath(stateDir);
    damage(path);
    const before = readAll(stateDir);
    const error = await catchError(() => openStore({ stateDir, quickCheck: true }));
    expect(error).toBeInstanceOf(HarnessError);
    expect(error).toMatchObject({
      code: 'state',
      details: { file: path, fix: expect.stringContaining('mv ') },
    });
    expect(readAll(stateDir)).toEqual(before);
  });

  it.each(['emptied', 'missing'])('(%s) is not an empty project to status either', async how => {
    const stateDir = await makeUsedStore();
    if (how === 'missing') rmSync(getStorePath(stateDir));
    else truncateSync(getStorePath(stateDir), 0);
    expect(() => openQuickIndex(stateDir)).toThrow(HarnessError);
  });

  it('is not one whose first opening was cut short in the middle of a write', async () => {
    const stateDir = makeStateDir();
    const db = openDatabase(getStorePath(stateDir));
    db.exec('PRAGMA journal_mode = WAL');
    db.close();
    writeFileSync(`${getStorePath(stateDir)}-wal`, Buffer.alloc(3000, 7));
    expect(openQuickIndex(stateDir)).toBeNull();
    const store = await openStore({ stateDir, quickCheck: true });
    expect(await store.read({})).toEqual([]);
    await store.close();
  });

  it('is known by its write-ahead log when even the marker is gone', async () => {
    const stateDir = await makeUsedStore();
    rmSync(join(stateDir, 'store-created'));
    rmSync(getStorePath(stateDir));
    writeFileSync(`${getStorePath(stateDir)}-wal`, 'something');
    await expect(openStore({ stateDir })).rejects.toMatchObject({ code: 'state' });
    expect(existsSync(getStorePath(stateDir))).toBe(false);
  });

  it('is refused even where a write-ahead log would cover up the damage', async () => {
    const [busy, stateDir] = [makeStateDir(), makeStateDir()];
    const store = await openStore({ stateDir: busy });
    await store.append({ stream: 'main', expectedVersion: 0, events: [note('safe')], atMs: 1 });
    for (const name of ['store.db', 'store.db-wal', 'store-created']) {
      copyFileSync(join(busy, name), join(stateDir, name));
    }
    await store.close();
    overwrite(getStorePath(stateDir), 0, Buffer.alloc(4096));
    const before = readAll(stateDir);
    expect(() => openQuickIndex(stateDir)).toThrow('zero bytes');
    await expect(openStore({ stateDir })).rejects.toThrow('zero bytes');
    expect(readAll(stateDir)).toEqual(before);
  });

  it('by one flipped bit in its header is refused as it is, or has lost nothing', {
    timeout: 30_000,
  }, async () => {
    const original = await makeUsedStore();
    const good = readFileSync(getStorePath(original));
    const stateDir = makeStateDir();
    const path = getStorePath(stateDir);
    let refused = 0;
    for (let byte = 0; byte < 100; byte++) {
      for (const name of readdirSync(stateDir)) rmSync(join(stateDir, name));
      copyFileSync(join(original, 'store-created'), join(stateDir, 'store-created'));
      const flipped = Buffer.from(good);
      flipped[byte] = (flipped[byte] as number) ^ (1 << (byte % 8));
      writeFileSync(path, flipped);
      try {
        const store = await openStore({ stateDir, quickCheck: true });
        expect(await store.read({}), `byte ${byte}`).toHaveLength(EVENTS);
        await store.close();
      } catch (error) {
        expect(error, `byte ${byte}`).toMatchObject({ code: 'state' });
        expect(readFileSync(path).equals(flipped), `byte ${byte}`).toBe(true);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(30);
  });
});

describe('a new store', () => {
  it.each(['nothing', 'an empty file', 'a file without tables'])('starts from %s', async what => {
    const stateDir = makeStateDir();
    if (what === 'an empty file') writeFileSync(getStorePath(stateDir), '');
    if (what === 'a file without tables') {
      const { openDatabase } = await import('../../src/adapters/store/driver.ts');
      const db = openDatabase(getStorePath(stateDir));
      db.exec('PRAGMA journal_mode = WAL');
      db.close();
    }
    expect(openQuickIndex(stateDir)).toBeNull();
    const store = await openStore({ stateDir, quickCheck: true });
    expect(await store.read({})).toEqual([]);
    await store.close();
  });

  it('is not made by looking for one', () => {
    const stateDir = makeStateDir();
    expect(openQuickIndex(stateDir)).toBeNull();
    expect(readdirSync(stateDir)).toEqual([]);
  });
});

async function makeUsedStore(): Promise<string> {
  const stateDir = makeStateDir();
  const store = await openStore({ stateDir });
  const events = Array.from({ length: EVENTS }, (_, i) =>
    note(`event ${i} ${'x'.repeat(100)}`, String(i % 7)),
  );
  await store.append({ stream: 'main', expectedVersion: 0, events, atMs: 1 });
  await store.close();
  return stateDir;
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const content = readFileSync(path);
  bytes.copy(content, at);
  writeFileSync(path, content);
}

/** The files that hold facts; the shared-memory file is SQLite's scratch. */
function readAll(dir: string): Record<string, string> {
  const names = readdirSync(dir).filter(name => !name.endsWith('-shm'));
  return Object.fromEntries(
    names
      .map(name => [name, readFileSync(join(dir, name)).toString('base64')])
      .filter(([, text]) => text !== ''),
  );
}

async function catchError(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return null;
  } catch (error) {
    return error;
  }
}
