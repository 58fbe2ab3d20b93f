import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import { createArtifacts } from './artifacts.ts';

const makeStateDir = useStateDirs();
const PATH = 'sessions/1.jsonl';

const say = (text: string) => ({ atMs: 1, event: { type: 'text', text } as const });
const getHash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a transcript', () => {
  it('is on disk while the session goes on, and so is the log of what was done', async () => {
    const stateDir = makeStateDir();
    const transcript = await createArtifacts({ stateDir }).openTranscript(PATH, 1);
    transcript.add(say('one'));
    transcript.add({ atMs: 2, event: { type: 'file', action: 'write', path: 'a.ts' } });
    const read = (name: string) => readFileSync(join(stateDir, name), 'utf8');
    while (read(PATH) === '') await sleep(20);
    expect(read(PATH)).toBe(
      '{"atMs":1,"type":"text","text":"one"}\n{"atMs":2,"type":"file","action":"write","path":"a.ts"}\n',
    );
    expect(read('logs/agent_actions.jsonl')).toContain('"path":"a.ts"');
    transcript.add(say('two'));
    const { sha256 } = await transcript.close();
    expect(sha256).toBe(getHash(read(PATH)));
    expect(read(PATH).split('\n')).toHaveLength(4);
  });

  it('that outgrows the buffer is written at once', async () => {
    const stateDir = makeStateDir();
    const transcript = await createArtifacts({ stateDir }).openTranscript(PATH, 1);
    transcript.add(say('x'.repeat(100_000)));
    expect(readFileSync(join(stateDir, PATH), 'utf8').length).toBeGreaterThan(100_000);
    await transcript.close();
  });

  it('has what was used on disk at once', async () => {
    const stateDir = makeStateDir();
    const transcript = await createArtifacts({ stateDir }).openTranscript(PATH, 1);
    const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01 };
    transcript.add({ atMs: 1, event: { type: 'usage', usage } });
    expect(readFileSync(join(stateDir, PATH), 'utf8')).toContain('"costUsd":0.01');
    await transcript.close();
  });

  it('of a dead writer is closed without its half line, and a writer only thought dead adds nothing', async () => {
    const stateDir = makeStateDir();
    const artifacts = createArtifacts({ stateDir });
    const zombie = await artifacts.openTranscript(PATH, 1);
    zombie.add(say('x'.repeat(70_000)));
    const before = readFileSync(join(stateDir, PATH), 'utf8');
    appendFileSync(join(stateDir, PATH), '{"atMs":2,"ty');
    const ref = await artifacts.closeTranscript(PATH);
    expect(ref).toEqual({ path: PATH, sha256: getHash(before) });
    zombie.add(say('I am still here'));
    await zombie.close();
    expect(readFileSync(join(stateDir, PATH), 'utf8')).toBe(before);
  });

  it('that was never begun is none', async () => {
    expect(await createArtifacts({ stateDir: makeStateDir() }).closeTranscript(PATH)).toBeNull();
  });

  it.each(['../out.jsonl', '/etc/out'])('is never written outside of the state directory: %s', async path => {
    const artifacts = createArtifacts({ stateDir: makeStateDir() });
    await expect(artifacts.openTranscript(path, 1)).rejects.toThrow('outside');
    await expect(artifacts.closeTranscript(path)).rejects.toThrow('outside');
  });
});
