import { getFrame, type ModelApi } from './api.ts';
import type { RequestView, ToolCall, Turn, TurnUsage } from './script.ts';

/** The OpenAI Responses API, streaming, as Codex uses it. */
export const responses: ModelApi = {
  path: '/v1/responses',
  read: body => {
    const { model = '', input = [], tools = [], text } = body as ResponsesRequest;
    const lastSpoken = input.findLastIndex(isSpoken);
    const prompt = input.find(item => item.role === 'user' && !isPreamble(getText(item)));
    return {
      model,
      prompt: prompt ? getText(prompt) : '',
      newest: input
        .slice(lastSpoken + 1)
        .map(getText)
        .join('\n'),
      toolNames: [...tools, ...input.flatMap(item => item.tools ?? [])].flatMap(getNames),
      isSide: isTitle(text),
    };
  },
  getFrames: (turn, view, id) => {
    const response = { id: `resp_${id}`, object: 'response', model: view.model };
    return [
      getFrame('response.created', { type: 'response.created', response }),
      ...getItems(turn, view, id).flatMap(getItemFrames),
      getFrame('response.completed', {
        type: 'response.completed',
        response: { ...response, status: 'completed', usage: getUsage(turn.usage) },
      }),
    ];
  },
  getErrorBody: (status, message) => ({
    error: { type: 'error', code: ERROR_CODES[status] ?? null, message },
  }),
};

/** The moves every script needs, as Codex's tools. */
export const CODEX_TOOLS = {
  run: (cmd: string): ToolCall => ({ name: 'exec_command', input: { cmd } }),
  write: (path: string, content: string): ToolCall => ({
    name: 'apply_patch',
    input: { patch: getPatch(path, content) },
  }),
} as const;

interface ResponsesRequest {
  readonly model?: string;
  readonly input?: readonly Item[];
  readonly tools?: readonly Tool[];
  readonly text?: { readonly format?: { readonly schema?: { readonly properties?: object } } };
}

interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly output?: string | readonly { readonly text?: string }[];
  /** Newer models are told of their tools in the conversation. */
  readonly tools?: readonly Tool[];
}

interface Tool {
  readonly name: string;
  readonly type: string;
  readonly tools?: readonly Tool[];
}

function isSpoken(item: Item): boolean {
  return item.role === 'assistant' || ['function_call', 'custom_tool_call', 'reasoning'].includes(item.type);
}

/** Codex over ACP asks for a title when its first turn is over, in a thread beside it and at any moment. */
function isTitle(text: ResponsesRequest['text']): boolean {
  return Object.keys(text?.format?.schema?.properties ?? {}).join() === 'title';
}

/** What Codex itself says to the model before the user does. */
function isPreamble(text: string): boolean {
  return /^\s*(<environment_context>|<user_instructions>|# AGENTS\.md)/.test(text);
}

function getText({ content, output }: Item): string {
  if (typeof output === 'string') return output;
  return [...(content ?? []), ...(output ?? [])].map(part => part.text ?? '').join('\n');
}

function getNames(tool: Tool): readonly string[] {
  return tool.tools ? tool.tools.map(inner => inner.name) : [tool.name];
}

type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly text?: string };

function getItems(turn: Turn, view: RequestView, id: string): OutputItem[] {
  const calls = (turn.tools ?? []).map((tool, index) => getCall(tool, view, `${id}_${index}`));
  if (turn.text === undefined) return calls;
  const content = [{ type: 'output_text', text: turn.text, annotations: [] }];
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
  return [message, ...calls];
}

/** Newer models are given one tool that runs JavaScript, and call the others from there. */
function getCall({ name, input }: ToolCall, view: RequestView, id: string): OutputItem {
  const isCode = view.toolNames.includes('exec') && !view.toolNames.includes(name);
  if (isCode) {
    const argument = JSON.stringify(input.patch ?? input);
    const code = `const r = await tools.${name}(${argument}); text(typeof r === "string" ? r : JSON.stringify(r));`;
    return { type: 'custom_tool_call', id: `ctc_${id}`, call_id: `call_${id}`, name: 'exec', input: code };
  }
  const [toolName, args] =
    name === 'apply_patch' && !view.toolNames.includes(name)
      ? ['exec_command', { cmd: `apply_patch <<'END_OF_PATCH'\n${input.patch}END_OF_PATCH` }]
      : [name, input];
  const call = { name: toolName, arguments: JSON.stringify(args) };
  return { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, ...call };
}

function getItemFrames(item: OutputItem, index: number): string[] {
  const place = { output_index: index };
  const added = item.type === 'message' ? { ...item, status: 'in_progress', content: [] } : item;
  const [part] = (item.content ?? []) as { readonly text: string }[];
  const delta = { type: 'response.output_text.delta', item_id: item.id, content_index: 0, delta: part?.text };
  return [
    getFrame('response.output_item.added', { type: 'response.output_item.added', ...place, item: added }),
    ...(part ? [getFrame(delta.type, { ...delta, ...place })] : []),
    getFrame('response.output_item.done', { type: 'response.output_item.done', ...place, item }),
  ];
}

/** OpenAI counts cached tokens among the input. */
function getUsage(usage: TurnUsage | undefined) {
  const { input = 10, output = 5, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  const inputTokens = input + cacheRead + cacheWrite;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + output,
  };
}

function getPatch(path: string, content: string): string {
  const lines = content.replace(/\n$/, '').split('\n');
  const added = lines.map(line => `+${line}\n`).join('');
  return `*** Begin Patch\n*** Add File: ${path}\n${added}*** End Patch\n`;
}

const ERROR_CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  503: 'server_is_overloaded',
};
