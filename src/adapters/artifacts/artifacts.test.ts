import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeStory, STORY_START_MS } from '../../../test/support/history.ts';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import type { StoredEvent } from '../../core/events/event.ts';
import { fold } from '../../core/events/fold.ts';
import type { AgentEvent } from '../../ports/index.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createArtifacts } from './artifacts.ts';
import { createStateDir } from './state-dir.ts';

const makeStateDir = useStateDirs();
const LOGS = ['events.jsonl', 'decisions.jsonl', 'agent_actions.jsonl', 'harness-progress.txt'];

describe('an artifact', () => {
  it('is written whole under the state directory and named by its hash', async () => {
    const stateDir = makeStateDir();
    const ref = await createArtifacts({ stateDir }).write('proofs/1.json', '{"ok":true}');
    const sha256 = '4062edaf750fb8074e7e83e0c9028c94e32468a8b6f1614774328ef045150f93';
    expect(ref).toEqual({ path: 'proofs/1.json', sha256 });
    expect(readFileSync(join(stateDir, ref.path), 'utf8')).toBe('{"ok":true}');
    expect(readdirSync(join(stateDir, 'proofs'))).toEqual(['1.json']);
  });

  it.each(['../out.json', '/etc/out', 'proofs/../../out'])(
    'is never written outside of it: %s',
    async path => {
      const artifacts = createArtifacts({ stateDir: makeStateDir() });
      await expect(artifacts.write(path, 'x')).rejects.toThrow('outside');
    },
  );
});

describe('the state directory', () => {
  it('is hidden from git and has its folders', () => {
    const stateDir = makeStateDir();
    createStateDir(stateDir);
    createStateDir(stateDir);
    expect(readFileSync(join(stateDir, '.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(stateDir).sort()).toEqual([
      '.gitignore',
      'checkpoints',
      'logs',
      'proofs',
      'sessions',
      'signals',
    ]);
  });

  it('is cleared of what killed writers left, but not of what is being written now', () => {
    const stateDir = makeStateDir();
    const names = ['.old.json.1-1.tmp', '.new.json.2-1.tmp', 'mine.tmp'];
    for (const name of names) writeFileSync(join(stateDir, name), 'half');
    utimesSync(join(stateDir, names[0] as string), 0, 0);
    createStateDir(stateDir);
    expect(names.map(name => existsSync(join(stateDir, name)))).toEqual([false, true, true]);
  });
});

describe('projecting', () => {
  it('twice writes nothing twice and rewrites no file that did not change', async () => {
    const stateDir = makeStateDir();
    const artifacts = createArtifacts({ stateDir });
    const events = makeStory();
    const input = { state: fold(events), events };
    await artifacts.project(input);
    const before = readFiles(stateDir);
    const inodes = readInodes(stateDir);
    await artifacts.project(input);
    await createArtifacts({ stateDir }).project(input);
    expect(readFiles(stateDir)).toEqual(before);
    expect(readInodes(stateDir)).toEqual(inodes);
  });

  it('as things happen gives the same logs as catching up afterwards', async () => {
    const events = makeStory();
    const [live, later] = [makeStateDir(), makeStateDir()];
    await projectEach(live, events);
    await createArtifacts({ stateDir: later }).catchUp(await makeStore(events));
    expect(readFiles(live)).toMatchObject(readFiles(later));
  });

  it('also logs what other processes recorded in between', async () => {
    const stateDir = makeStateDir();
    const events = makeStory();
    const artifacts = createArtifacts({ stateDir });
    await artifacts.catchUp(await makeStore([]));
    await artifacts.catchUp(await makeStore(events));
    expect(readSeqs(stateDir)).toEqual(events.map(e => e.seq));

    const lateDir = makeStateDir();
    const late = createArtifacts({ stateDir: lateDir });
    const store = await makeStore(events.slice(0, 3));
    await late.catchUp(store);
    await fill(store, events);
    await late.project({ state: fold(events), events: events.slice(-2) });
    expect(readSeqs(lateDir)).toEqual(events.map(e => e.seq));
  });

  it('keeps what the agent did between the events around it', async () => {
    const stateDir = makeStateDir();
    const artifacts = createArtifacts({ stateDir });
    const events = makeStory();
    await artifacts.project({ state: fold(events), events: events.slice(0, 7) });
    const transcript = await artifacts.openTranscript('sessions/1.jsonl', 1);
    for (const heard of HEARD) transcript.add(heard);
    await transcript.close();
    await artifacts.project({ state: fold(events), events: events.slice(7) });
    const lines = readLog(stateDir, 'agent_actions.jsonl').map(line => JSON.parse(line));
    expect(lines.map(line => line.type)).toEqual([
      'file_read',
      'file_write',
      'cmd_run',
      'cmd_exit',
      'decision',
      'verify_pass',
      'verify_fail',
    ]);
    expect(lines[0]).toEqual({
      seq: 7,
      ts: '2026-01-15T10:00:00.000Z',
      type: 'file_read',
      path: 'src/a.ts',
      session: 1,
    });
    expect(lines[5]).toMatchObject({ feature: 1, session: 1 });
  });
});

describe('catching up after a crash', () => {
  it.each(makeStory().map(stored => stored.seq))('right after event %i gives the same logs', async seq => {
    const events = makeStory();
    const [expected, stateDir] = [makeStateDir(), makeStateDir()];
    await createArtifacts({ stateDir: expected }).catchUp(await makeStore(events));
    const before = events.slice(0, seq - 1);
    await projectEach(stateDir, before);
    const found = await createArtifacts({ stateDir }).catchUp(await makeStore(events));
    expect(found).toBe(events.length - before.length);
    expect(readFiles(stateDir)).toMatchObject(readFiles(expected));
  });

  it('begins at the state that is had at once, and reads only what the logs have not', async () => {
    const events = makeStory();
    const [expected, stateDir] = [makeStateDir(), makeStateDir()];
    await createArtifacts({ stateDir: expected }).catchUp(await makeStore(events));
    await projectEach(stateDir, events.slice(0, 5));
    const store = await makeStore(events);
    const from: (number | undefined)[] = [];
    const read: typeof store.read = query => {
      if (!query.newestFirst) from.push(query.fromSeq);
      return store.read(query);
    };
    const asked: number[] = [];
    await createArtifacts({ stateDir }).catchUp({ read }, async seq => {
      asked.push(seq);
      return fold(events.slice(0, seq));
    });
    expect([asked, from]).toEqual([[5], [6]]);
    expect(readFiles(stateDir)).toMatchObject(readFiles(expected));
  });

  it.each(LOGS)('that cut %s in the middle of a line gives the same logs', async name => {
    const stateDir = makeStateDir();
    const store = await makeStore(makeStory());
    await createArtifacts({ stateDir }).catchUp(store);
    const before = readFiles(stateDir);
    const path = join(stateDir, 'logs', name);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    if (name !== 'events.jsonl') truncateSync(join(stateDir, 'logs', 'events.jsonl'), 0);
    await createArtifacts({ stateDir }).catchUp(store);
    expect(readFiles(stateDir)).toEqual(before);
  });

  it('finds its place behind lines that somebody else wrote', async () => {
    const stateDir = makeStateDir();
    const store = await makeStore(makeStory());
    await createArtifacts({ stateDir }).catchUp(store);
    appendFileSync(join(stateDir, 'logs', 'events.jsonl'), 'a remark by hand\n');
    expect(await createArtifacts({ stateDir }).catchUp(store)).toBe(0);
  });
});

const HEARD = (
  [
    { type: 'file', action: 'read', path: 'src/a.ts' },
    { type: 'text', text: 'thinking' },
    { type: 'file', action: 'write', path: 'src/a.ts' },
    { type: 'command', command: 'npm test', exitCode: 0, output: 'ok' },
    { type: 'decision', text: 'use a map' },
  ] satisfies AgentEvent[]
).map(event => ({ atMs: STORY_START_MS, event }));

type MemoryStore = ReturnType<typeof createMemoryStore>;

async function makeStore(events: readonly StoredEvent[]): Promise<MemoryStore> {
  const store = createMemoryStore(
    () => 0,
    () => 't',
  );
  await fill(store, events);
  return store;
}

async function fill(store: MemoryStore, events: readonly StoredEvent[]): Promise<void> {
  const known = (await store.read({})).length;
  for (const { stream, version, atMs, event } of events.slice(known)) {
    await store.append({ stream, expectedVersion: version - 1, events: [event], atMs });
  }
}

function readLog(stateDir: string, name: string): string[] {
  return readFileSync(join(stateDir, 'logs', name), 'utf8')
    .trimEnd()
    .split('\n');
}

function readSeqs(stateDir: string): number[] {
  return readLog(stateDir, 'events.jsonl').map(line => JSON.parse(line).seq);
}

async function projectEach(stateDir: string, events: readonly StoredEvent[]): Promise<void> {
  const artifacts = createArtifacts({ stateDir });
  for (const [i, stored] of events.entries()) {
    await artifacts.project({ state: fold(events.slice(0, i + 1)), events: [stored] });
  }
}

function readFiles(stateDir: string): Record<string, string> {
  const paths = [
    ...LOGS.map(name => `logs/${name}`),
    'session_state.json',
    'test_baseline.json',
    'costs.yaml',
    'file_sizes.json',
  ];
  const there = paths.filter(path => existsSync(join(stateDir, path)));
  return Object.fromEntries(there.map(path => [path, readFileSync(join(stateDir, path), 'utf8')]));
}

function readInodes(stateDir: string): number[] {
  return readdirSync(stateDir).map(name => statSync(join(stateDir, name)).ino);
}
