import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeStory, STORY_START_MS } from '../../../test/support/history.ts';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import type { StoredEvent } from '../../core/events/event.ts';
import { fold } from '../../core/events/fold.ts';
import type { LogRules } from '../../core/model/policy.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createArtifacts } from './artifacts.ts';

const makeStateDir = useStateDirs();
const RULES: LogRules = { level: 'debug', sampling: 1, retentionDays: 90, maxFileBytes: 1e9 };
const DAY_MS = 86_400_000;

function open(stateDir: string, rules: Partial<LogRules> = {}) {
  return createArtifacts({ stateDir, logging: { ...RULES, ...rules } });
}

/** The story, told today: files that are written now are no older than what they tell. */
function tellToday(): StoredEvent[] {
  const lateMs = Date.now() - STORY_START_MS;
  return makeStory().map(stored => ({ ...stored, atMs: stored.atMs + lateMs }));
}

async function makeStore(events: readonly StoredEvent[] = tellToday()) {
  const store = createMemoryStore(
    () => 0,
    () => 't',
  );
  for (const { stream, version, atMs, event } of events)
    await store.append({ stream, expectedVersion: version - 1, events: [event], atMs });
  return store;
}

/** Every line of a log, closed files included, oldest first. */
function readAll(stateDir: string, stem: string): { seq: number; level: string }[] {
  const dir = join(stateDir, 'logs');
  const names = readdirSync(dir).filter(name => name.startsWith(`${stem}.`));
  const lines = names.flatMap(name => readFileSync(join(dir, name), 'utf8').split('\n').filter(Boolean));
  return lines.map(line => JSON.parse(line)).sort((a, b) => a.seq - b.seq);
}

describe('a log that has grown too large', () => {
  it('goes on in a new file, and loses and doubles nothing, whoever opens it again', async () => {
    const stateDir = makeStateDir();
    const events = makeStory();
    for (const [at, stored] of events.entries()) {
      const artifacts = open(stateDir, { maxFileBytes: 500 });
      await artifacts.catchUp(await makeStore(events.slice(0, at)));
      await artifacts.project({ state: fold(events.slice(0, at + 1)), events: [stored] });
    }
    expect(readAll(stateDir, 'events').map(line => line.seq)).toEqual(events.map(stored => stored.seq));
    expect(
      readdirSync(join(stateDir, 'logs')).filter(name => /^events\.\d+-1\.jsonl$/.test(name)).length,
    ).toBeGreaterThan(3);
  });

  it('keeps what an agent did between two events, over as many files as it takes', async () => {
    const stateDir = makeStateDir();
    const transcript = await open(stateDir, { maxFileBytes: 500 }).openTranscript('sessions/1.jsonl', 1);
    for (let at = 0; at < 200; at++) {
      const path = `${at}.ts`.padStart(1_000, 'x');
      transcript.add({ atMs: STORY_START_MS, event: { type: 'file', action: 'read', path } });
    }
    await transcript.close();
    expect(readAll(stateDir, 'agent_actions')).toHaveLength(200);
  });
});

describe('a log with levels', () => {
  it('is the same as things happen and after catching up, and catching up twice adds nothing', async () => {
    const rules = { level: 'important', sampling: 0 } as const;
    const events = makeStory();
    const [live, later] = [makeStateDir(), makeStateDir()];
    const artifacts = open(live, rules);
    for (const [at, stored] of events.entries())
      await artifacts.project({ state: fold(events.slice(0, at + 1)), events: [stored] });
    await open(later, rules).catchUp(await makeStore(events));
    expect(await open(later, rules).catchUp(await makeStore(events))).toBe(0);
    expect(readAll(live, 'events')).toEqual(readAll(later, 'events'));
    expect(new Set(readAll(live, 'events').map(line => line.level))).toEqual(
      new Set(['critical', 'important']),
    );
    const progress = (dir: string) => readFileSync(join(dir, 'logs', 'harness-progress.txt'), 'utf8');
    expect(progress(live)).toBe(progress(later));
  });
});

describe('pruning', () => {
  it.each([
    [6, ['critical', 'debug', 'important', 'routine']],
    [40, ['critical', 'important']],
    [100, ['critical']],
  ])('after %i days leaves the lines of these levels: %s', async (days, levels) => {
    const stateDir = makeStateDir();
    const store = await makeStore();
    const artifacts = open(stateDir);
    await artifacts.catchUp(store);
    const before = readAll(stateDir, 'events');
    const nowMs = Date.now() + days * DAY_MS;
    artifacts.prune(nowMs);
    artifacts.prune(nowMs);
    const left = readAll(stateDir, 'events');
    expect(new Set(before.map(line => line.level))).toEqual(
      new Set(['critical', 'debug', 'important', 'routine']),
    );
    expect(left).toEqual(before.filter(line => levels.includes(line.level)));
    expect(await store.read({})).toHaveLength(makeStory().length);
  });

  it('never makes the logs begin again from the record', async () => {
    const stateDir = makeStateDir();
    const store = await makeStore(tellToday().slice(0, 8));
    await open(stateDir).catchUp(store);
    expect(readAll(stateDir, 'events')).toHaveLength(8);
    open(stateDir).prune(Date.now() + 1_000 * DAY_MS);
    expect(await open(stateDir).catchUp(store)).toBe(0);
    expect(readAll(stateDir, 'events')).toEqual([]);
  });

  it('lets transcripts go in their time, keeps proofs, and keeps lines that it does not understand', async () => {
    const stateDir = makeStateDir();
    const artifacts = open(stateDir);
    await artifacts.write('sessions/1.jsonl', 'x');
    await artifacts.write('proofs/1.json', 'x');
    const odd = join(stateDir, 'logs', 'decisions.7-1.jsonl');
    writeFileSync(odd, 'a remark by hand\n');
    artifacts.prune(Date.now() + 89 * DAY_MS);
    expect(existsSync(join(stateDir, 'sessions/1.jsonl'))).toBe(true);
    artifacts.prune(Date.now() + 91 * DAY_MS);
    expect(existsSync(join(stateDir, 'sessions/1.jsonl'))).toBe(false);
    expect(existsSync(join(stateDir, 'proofs/1.json'))).toBe(true);
    expect(readFileSync(odd, 'utf8')).toBe('a remark by hand\n');
  });
});
