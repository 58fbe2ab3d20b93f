import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { plainSdk } from '../../../../test/agents-streams/plain-sdk.ts';
import type { Fields } from '../../../core/base/json.ts';
import type { Delivery, SessionRequest } from '../../../ports/index.ts';
import { startAcpTalk } from './talk.ts';
import { createAcpUpdates } from './updates.ts';

const TOOL = { toolCallId: 'c1', title: 'npm test', kind: 'execute', status: 'in_progress' };

/** An agent that ends a turn only when it is cancelled; its second turn ends by itself. */
async function talk({ withTool = false, cancelledAs = 'cancelled', endsByItself = false } = {}) {
  const output = new PassThrough();
  const seen: string[] = [];
  let tell: (text: string) => Promise<Delivery> | Delivery = () => 'unheard';
  let delivery: Promise<Delivery> | Delivery = 'unheard';
  let asked: unknown = null;
  const send = (message: object) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const update = (what: object) =>
    send({ method: 'session/update', params: { sessionId: 's', update: what } });
  const chunk = (text: string) =>
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

  function hear({ id, method, params }: Fields): void {
    if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
    if (method === 'session/new') send({ id, result: { sessionId: 's' } });
    if (method === 'session/cancel') {
      seen.push('cancel');
      send({ id: asked, result: { stopReason: cancelledAs } });
    }
    if (method !== 'session/prompt') return;
    const text = (params as { prompt: { text: string }[] }).prompt[0]?.text ?? '';
    seen.push(text);
    asked = id;
    if (text !== 'Do it.') {
      chunk('wrapped up');
      send({ id, result: { stopReason: 'end_turn' } });
      return;
    }
    chunk('at work');
    if (withTool) update({ sessionUpdate: 'tool_call', ...TOOL });
    setImmediate(() => {
      delivery = tell('Wrap up.');
      if (!withTool) return;
      seen.push('tool over');
      update({ sessionUpdate: 'tool_call_update', ...TOOL, status: 'completed' });
      if (endsByItself) send({ id: asked, result: { stopReason: 'end_turn' } });
    });
  }
  const input = new Writable({
    write: (bytes, _, done) => {
      for (const line of String(bytes).split('\n').filter(Boolean)) hear(JSON.parse(line));
      done();
    },
  });
  const updates = createAcpUpdates('/work', () => undefined);
  const subscribe = (listener: typeof tell) => {
    tell = listener;
    return () => undefined;
  };
  const ignore = () => undefined;
  const line = {
    ...{ output, input, updates, mark: {}, isBoxed: false, isRepoTrusted: false },
    ...{ onSignOfLife: ignore, onTurn: ignore },
  };
  const request = { cwd: '/work', prompt: 'Do it.', injections: { subscribe } } as unknown as SessionRequest;
  const one = startAcpTalk(plainSdk, line, request);
  const { reply, error } = await one.taken;
  one.close();
  return { seen, reply, error, delivery: await delivery, last: updates.lastMessage() };
}

test.each(['cancelled', 'end_turn'])(
  'words cut the turn, %s as it may be, and the session goes on with them',
  async cancelledAs => {
    const { seen, reply, delivery } = await talk({ cancelledAs });
    expect(seen).toEqual(['Do it.', 'cancel', 'Wrap up.']);
    expect([reply, delivery]).toEqual([{ stopReason: 'end_turn' }, 'told']);
  },
);

test('a turn that ends by itself before the words is gone on with', async () => {
  const { seen, delivery } = await talk({ withTool: true, endsByItself: true });
  expect(seen).toEqual(['Do it.', 'tool over', 'Wrap up.']);
  expect(delivery).toBe('told');
});

test('a tool at work is waited for', async () => {
  const { seen, delivery } = await talk({ withTool: true });
  expect(seen).toEqual(['Do it.', 'tool over', 'cancel', 'Wrap up.']);
  expect(delivery).toBe('told');
});
