import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../core/base/redact.ts';
import { RUN_KEY } from '../../core/model/testing.ts';
import type { AgentEvent, Ports, TranscriptEntry } from '../../ports/index.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { redactTranscript, withRedaction } from './redaction.ts';

const SECRET = 'hunter2-and-a-few-more';
const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq\n'.repeat(60)}-----END RSA PRIVATE KEY-----`;

const USAGE: AgentEvent = {
  type: 'usage',
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0 },
};

async function write(events: readonly AgentEvent[]): Promise<TranscriptEntry[]> {
  const written: TranscriptEntry[] = [];
  const transcript = redactTranscript(
    { add: heard => written.push(heard), close: async () => ({ path: '', sha256: '' }) },
    createRedactor([SECRET, 'two words of it']),
  );
  events.forEach((event, atMs) => {
    transcript.add({ atMs, event });
  });
  await transcript.close();
  return written;
}

const say = (text: string): AgentEvent => ({ type: 'text', text });
const getTexts = (written: readonly TranscriptEntry[]) =>
  written.flatMap(({ event }) => (event.type === 'text' ? [event.text] : []));

/** Cuts a text at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...[...places].map(place => place % text.length).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i], end));
}

describe('a transcript', () => {
  it.each([
    ['a known value', SECRET],
    ['a known value of several words', 'two words of it'],
    ['a token by its shape', TOKEN],
    ['a key over many lines', KEY],
    ['a password in an address', 'https://me:s3cretpass@host/x'],
  ])('never holds more of %s than its first letters, however it was cut', async (_, secret) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5_000), { maxLength: 4 }), async places => {
        const pieces = cut(`before ${secret} after`, places).filter(piece => piece !== '');
        const texts = getTexts(await write(pieces.flatMap(piece => [say(piece), USAGE])));
        const text = texts.join('');
        expect(text).toContain('[redacted]');
        expect(text).toMatch(/^before .*after$/s);
        for (const line of secret.split('\n').filter(part => part.length > 12 && !part.includes('/x')))
          expect(text).not.toContain(line);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps texts apart that hide nothing between them, in order with what lay between', async () => {
    const written = await write([say('I look'), USAGE, say('around'), say('and run'), USAGE]);
    expect(written.map(({ event }) => (event.type === 'text' ? event.text : event.type))).toEqual([
      'I look',
      'usage',
      'around',
      'and run',
      'usage',
    ]);
    expect(written.map(heard => heard.atMs)).toEqual([0, 1, 2, 3, 4]);
  });

  it('does not uncover by joining what each piece alone has to hide', async () => {
    const written = await write([
      say('foo'),
      say(`${TOKEN} and ghp_01234567`),
      say('89abcdefghijklmnopqrst'),
    ]);
    expect(getTexts(written).join('|')).toBe('foo|[redacted] and [redacted]');
  });

  it('hides secrets in everything else that is done', async () => {
    const written = await write([
      { type: 'command', command: `login ${SECRET}`, exitCode: 0, output: TOKEN },
      { type: 'file', action: 'write', path: `${SECRET}.txt` },
      { type: 'decision', text: SECRET },
    ]);
    expect(written.map(({ event }) => event)).toEqual([
      { type: 'command', command: 'login [redacted]', exitCode: 0, output: '[redacted]' },
      { type: 'file', action: 'write', path: '[redacted].txt' },
      { type: 'decision', text: '[redacted]' },
    ]);
  });
});

describe('what a store remembers', () => {
  it('is clean but for runs of tests, and the store that was given stays as it was', async () => {
    const store = createMemoryStore(
      () => 0,
      () => 'token',
    );
    const ports = withRedaction({ store, artifacts: {} } as unknown as Ports, createRedactor([SECRET]));
    await ports.store.cachePut('some', `${SECRET} is in it`);
    await ports.store.cachePut(`${RUN_KEY}1`, `${SECRET} names a test`);
    expect(await store.cacheGet('some')).not.toContain(SECRET);
    expect(await store.cacheGet(`${RUN_KEY}1`)).toContain(SECRET);
    await store.cachePut('own', SECRET);
    expect(await ports.store.cacheGet('own')).toBe(SECRET);
  });
});
