import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getOverloaded } from './faults.ts';
import { type ModelServer, startModelServer } from './server.ts';

describe('the scripted model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.close());

  async function ask(content: string, more: object = {}): Promise<string> {
    const messages = [{ role: 'user', content }];
    const body = { model: 'm', max_tokens: 9, stream: true, messages, tools: [{ name: 'Bash' }], ...more };
    return await post('/v1/messages', body);
  }

  async function post(path: string, body: object): Promise<string> {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return await response.text();
  }

  test('plays its turns in order, each once, and then says that it is over', async () => {
    server.play([{ text: 'one' }, { tools: [{ name: 'Bash', input: { command: 'ls' } }] }]);
    expect(await ask('a')).toContain('"text":"one"');
    expect(await ask('b')).toContain('"name":"Bash"');
    expect(await ask('c')).toContain('The script is over.');
    expect(server.requests.map(({ newest, turn }) => [newest, turn])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', null],
    ]);
  });

  test('keeps a turn back until its words are said', async () => {
    server.play([{ when: 'ready', text: 'now' }, { text: 'not yet' }]);
    expect(await ask('hello')).toContain('not yet');
    expect(server.left()).toBe(1);
    expect(await ask('I am ready')).toContain('"text":"now"');
  });

  test('answers side requests without using up a turn', async () => {
    server.play([{ text: 'one' }]);
    await ask('quota', { max_tokens: 1, tools: [] });
    await ask('a name', { system: 'Write a title for this.', tools: [] });
    expect(await post('/v1/messages/count_tokens', { messages: [] })).toContain('input_tokens');
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    await post('/v1/responses', { input: [], text: { format: { type: 'json_schema', schema } } });
    expect(server.left()).toBe(1);
    expect(await ask('hi')).toContain('"text":"one"');
  });

  test('answers in one piece when no stream is asked for', async () => {
    server.play([{ text: 'one', usage: { input: 3, output: 4, cacheRead: 5, cacheWrite: 6 } }]);
    expect(JSON.parse(await ask('hi', { stream: false }))).toMatchObject({
      content: [{ type: 'text', text: 'one' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 3,
        output_tokens: 4,
        cache_read_input_tokens: 5,
        cache_creation_input_tokens: 6,
      },
    });
  });

  test('fails as it is told to', async () => {
    const how = ['reset_before_headers', 'reset_mid_stream'] as const;
    server.play([{ fault: getOverloaded() }, ...how.map(kind => ({ text: 'x', fault: { kind } }))]);
    expect(await ask('a')).toContain('overloaded_error');
    await expect(ask('b')).rejects.toThrow();
    await expect(ask('c')).rejects.toThrow();
  });
});
