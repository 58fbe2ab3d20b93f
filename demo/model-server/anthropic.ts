import { getFrame, type ModelApi } from './api.ts';
import type { Turn, TurnUsage } from './script.ts';

/** The Anthropic Messages API. */
export const anthropic: ModelApi = {
  path: '/v1/messages',
  read: body => {
    const request = body as MessagesRequest;
    const messages = request.messages ?? [];
    const lastSpoken = messages.findLastIndex(message => message.role === 'assistant');
    return {
      model: request.model ?? '',
      prompt: getText(messages.find(message => message.role === 'user')?.content),
      newest: messages
        .slice(lastSpoken + 1)
        .map(message => getText(message.content))
        .join('\n'),
      toolNames: (request.tools ?? []).map(tool => tool.name),
      isSide: isSide(request),
      wantsWhole: request.stream !== true,
    };
  },
  getFrames: (turn, view, id) => [
    getFrame('message_start', {
      type: 'message_start',
      message: {
        ...getMessage(view.model, id),
        content: [],
        stop_reason: null,
        usage: { ...getInputUsage(turn.usage), output_tokens: 1 },
      },
    }),
    ...getBlocks(turn, id).flatMap(getBlockFrames),
    getFrame('message_delta', { type: 'message_delta', delta: getStop(turn), usage: getUsage(turn.usage) }),
    getFrame('message_stop', { type: 'message_stop' }),
  ],
  getWhole: (turn, view, id) => ({
    ...getMessage(view.model, id),
    ...getStop(turn),
    content: getBlocks(turn, id).map(block => block.whole),
    usage: getUsage(turn.usage),
  }),
  getErrorBody: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
  }),
};

/** What `count_tokens` answers: about four characters a token, as everybody guesses. */
export function getTokenCount(body: unknown): { input_tokens: number } {
  return { input_tokens: Math.ceil(JSON.stringify(body).length / 4) };
}

interface MessagesRequest {
  readonly model?: string;
  readonly max_tokens?: number;
  readonly stream?: boolean;
  readonly system?: Content;
  readonly messages?: readonly { readonly role: string; readonly content: Content }[];
  readonly tools?: readonly { readonly name: string }[];
}

type Content = string | readonly { readonly text?: string; readonly content?: Content }[] | undefined;

/** Text of a message, tool results included. */
function getText(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(block => block.text ?? getText(block.content)).join('\n');
}

/** Titles, probes of the quota and the like: small requests beside the conversation. */
function isSide(request: MessagesRequest): boolean {
  if (request.tools?.length) return false;
  return (request.max_tokens ?? 0) <= 1 || /\btitle\b/.test(getText(request.system));
}

function getMessage(model: string, id: string) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function getStop(turn: Turn) {
  return { stop_reason: turn.tools?.length ? 'tool_use' : 'end_turn', stop_sequence: null };
}

function getUsage(usage: TurnUsage | undefined) {
  return { ...getInputUsage(usage), output_tokens: usage?.output ?? 5 };
}

function getInputUsage(usage: TurnUsage | undefined) {
  return {
    input_tokens: usage?.input ?? 10,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
  };
}

/** One block of an answer: how it starts and goes on in a stream, and all of it. */
interface Block {
  readonly start: unknown;
  readonly delta: unknown;
  readonly whole: unknown;
}

function getBlocks({ text, tools = [] }: Turn, id: string): Block[] {
  const words: Block = {
    start: { type: 'text', text: '' },
    delta: { type: 'text_delta', text },
    whole: { type: 'text', text },
  };
  const calls = tools.map(({ name, input }, index): Block => {
    const call = { type: 'tool_use', id: `toolu_${id}_${index}`, name };
    return {
      start: { ...call, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      whole: { ...call, input },
    };
  });
  return text === undefined ? calls : [words, ...calls];
}

function getBlockFrames({ start, delta }: Block, index: number): string[] {
  return [
    getFrame('content_block_start', { type: 'content_block_start', index, content_block: start }),
    getFrame('content_block_delta', { type: 'content_block_delta', index, delta }),
    getFrame('content_block_stop', { type: 'content_block_stop', index }),
  ];
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
