import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { buildProgram } from '../support/build-program.ts';
import { useStateDirs } from '../support/temp-dir.ts';

const makeStateDir = useStateDirs();
let dir = '';
let program = '';

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'harness-writer-'));
  program = await buildProgram('test/support/store-writer.ts', dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('four processes that append at once lose nothing and leave no gap', { timeout: 60_000 }, async () => {
  const stateDir = makeStateDir();
  const writers = ['a', 'b', 'c', 'd'].map(name => start(stateDir, name, 50));
  const codes = await Promise.all(writers.map(writer => writer.ended));
  expect(writers.map(writer => writer.complaints())).toEqual(['', '', '', '']);
  expect(codes).toEqual([0, 0, 0, 0]);
  const events = await readStore(stateDir);
  expect(events.map(e => [e.seq, e.version])).toEqual(Array.from({ length: 200 }, (_, i) => [i + 1, i + 1]));
  const written = writers.flatMap(writer => writer.printed());
  expect(events.map(e => e.text).sort()).toEqual(written.sort());
});

it('a writer killed at any moment loses nothing it was told is safe', { timeout: 60_000 }, async () => {
  const stateDir = makeStateDir();
  const safe: string[] = [];
  for (let round = 0; round < 8; round++) {
    const writer = start(stateDir, `r${round}`, 100_000);
    await writer.hasPrinted(1 + round * 7);
    writer.child.kill('SIGKILL');
    await writer.ended;
    safe.push(...writer.printed());
    const quick = openQuickIndex(stateDir);
    expect(quick?.view().countsByStatus).toEqual({});
    quick?.close();
  }
  const events = await readStore(stateDir);
  const texts = new Set(events.map(e => e.text));
  expect(safe.filter(text => !texts.has(text))).toEqual([]);
  expect(texts.size).toBe(events.length);
  expect(events.map(e => e.version)).toEqual(events.map((_, i) => i + 1));
});

interface Writer {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  printed(): string[];
  complaints(): string;
  hasPrinted(lines: number): Promise<void>;
}

function start(stateDir: string, name: string, count: number): Writer {
  const child = spawn(process.execPath, [program, stateDir, name, String(count)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text;
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  // A last line without its end was cut by the kill.
  const printed = () => output.split('\n').slice(0, -1);
  return {
    child,
    ended,
    printed,
    complaints: () => complaints,
    hasPrinted: lines =>
      new Promise(resolve => {
        const look = () => {
          if (printed().length >= lines || child.exitCode !== null) resolve();
        };
        child.stdout.on('data', look);
        child.on('close', () => resolve());
      }),
  };
}

async function readStore(stateDir: string): Promise<{ seq: number; version: number; text: string }[]> {
  const store = await openStore({ stateDir, quickCheck: true });
  const events = await store.read({ stream: 'main' });
  await store.close();
  return events.map(({ seq, version, event }) => {
    if (event.type !== 'note.added') throw new Error(event.type);
    return { seq, version, text: event.text };
  });
}
