import { getErrorMessage } from '../../../core/base/failure.ts';
import { type Fields, getFields, getList, getText } from '../../../core/base/json.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { emitText, getInsidePath, getTypedCommand, MAX_OUTPUT_CHARS } from '../shared/tool-events.ts';
import type { CodexThread } from './sdk.ts';
import type { CodexMeter } from './usage.ts';

/** How a turn ended; `said` is the last message, `threadId` is null when it never got so far. */
export interface TurnEnd {
  readonly how: 'completed' | 'failed' | 'cut';
  /** What Codex said of a failure. */
  readonly message: string;
  readonly lastMessage: string;
  readonly threadId: string | null;
  /** Whether the model had answered anything: then the prompt is part of the thread. */
  readonly hasBegun: boolean;
  /** Whether anything was said or done, besides thinking. */
  readonly hasSpoken: boolean;
}

/** The last turn of a session, and why it was cut when it was. */
export interface LastTurn extends TurnEnd {
  readonly cutFor: CutReason | null;
}

export interface TurnTools {
  readonly cwd: string;
  readonly meter: CodexMeter;
  /** No event for so long, with no command under way, and the turn is given up. */
  readonly silenceMs: number;
  emit(event: AgentEvent): void;
}

export interface Turn {
  /** Never rejects. */
  readonly end: Promise<TurnEnd>;
  /** Ends the turn as soon as nothing is under way, or when the time is up; the first reason stands. */
  cut(reason: CutReason, patienceMs: number): void;
  cutFor(): CutReason | null;
}

export type CutReason = 'injection' | 'interrupt' | 'silence';

/** One turn of a thread: events are told as they come, and silence has an end. */
export function startTurn(thread: CodexThread, input: string, schema: unknown, tools: TurnTools): Turn {
  const controller = new AbortController();
  const underWay = new Set<string>();
  let cutFor: CutReason | null = null;
  let isWaiting = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  const alive = setInterval(tools.meter.alive, ALIVE_EVERY_MS);

  function abort(): void {
    // The SDK has let go of its child by then, and an abort would be nobody's error.
    if (isOver) return;
    controller.abort();
  }

  function cut(reason: CutReason, patienceMs: number): void {
    if (cutFor || isOver) return;
    cutFor = reason;
    isWaiting = underWay.size > 0;
    if (isWaiting) timer = setTimeout(abort, patienceMs);
    else abort();
  }

  function onEvent(event: unknown): void {
    const { type, item } = getFields(event);
    const id = getText(getFields(item).id);
    if (type === 'item.started') underWay.add(id);
    if (type === 'item.completed') underWay.delete(id);
    if (isWaiting && underWay.size === 0) abort();
    clearTimeout(silence);
    if (underWay.size === 0) silence = setTimeout(() => cut('silence', 0), tools.silenceMs);
  }

  onEvent(null);
  const options = { signal: controller.signal, ...(schema ? { outputSchema: schema } : {}) };
  const end = readTurn(thread.runStreamed(input, options), tools, onEvent).finally(() => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(silence);
    clearInterval(alive);
  });
  return { end, cut, cutFor: () => cutFor };
}

const ALIVE_EVERY_MS = 20_000;

const NOTHING = { hasBegun: false, hasSpoken: false };

async function readTurn(
  started: ReturnType<CodexThread['runStreamed']>,
  tools: TurnTools,
  onEvent: (event: unknown) => void,
): Promise<TurnEnd> {
  const { cwd, meter, emit } = tools;
  let end: TurnEnd = { how: 'cut', message: '', lastMessage: '', threadId: null, ...NOTHING };
  try {
    for await (const raw of (await started).events) {
      onEvent(raw);
      const event = getFields(raw);
      end = getNextEnd(end, event);
      if (event.type === 'thread.started') meter.follow(getText(event.thread_id));
      meter.look();
      if (event.type === 'item.completed') emitCodexItem(getFields(event.item), cwd, emit);
      if (event.type === 'turn.completed') meter.endTurn(event.usage);
    }
  } catch (error) {
    // After a failure that Codex told of itself, the SDK throws one that says less.
    if (end.how === 'cut') end = { ...end, message: end.message || getErrorMessage(error) };
  }
  meter.look();
  return end;
}

function getNextEnd(end: TurnEnd, event: Fields): TurnEnd {
  const item = getFields(event.item);
  const isItem = getText(event.type).startsWith('item.') && item.type !== 'error';
  const isWords = ['agent_message', 'reasoning'].includes(getText(item.type));
  const isSpoken =
    isItem && (!isWords || (item.type === 'agent_message' && getText(item.text).trim() !== ''));
  const begun = { hasBegun: end.hasBegun || isItem, hasSpoken: end.hasSpoken || isSpoken };
  switch (event.type) {
    case 'thread.started':
      return { ...end, threadId: getText(event.thread_id) || null };
    case 'turn.completed':
      return { ...end, how: 'completed' };
    case 'turn.failed':
      return { ...end, how: 'failed', message: getText(getFields(event.error).message) || end.message };
    // It may still recover from this one.
    case 'error':
      return { ...end, message: getText(event.message) };
    case 'item.completed':
      return {
        ...end,
        ...begun,
        lastMessage: item.type === 'agent_message' ? getText(item.text) : end.lastMessage,
      };
    default:
      return { ...end, ...begun };
  }
}

/** Tells what a finished item means; anything it does not know is left aside. */
export function emitCodexItem(item: Fields, cwd: string, emit: (event: AgentEvent) => void): void {
  switch (item.type) {
    case 'agent_message':
    case 'reasoning':
      emitText(getText(item.text), emit);
      break;
    case 'command_execution':
      emit({
        type: 'command',
        command: getTypedCommand(getText(item.command)),
        exitCode: typeof item.exit_code === 'number' ? item.exit_code : null,
        output: getText(item.aggregated_output).slice(-MAX_OUTPUT_CHARS),
      });
      break;
    case 'file_change':
      for (const event of getFileEvents(item, cwd)) emit(event);
      break;
    case 'mcp_tool_call':
      emit({ type: 'text', text: getCallText(item) });
      break;
    // A warning, such as a model it has no description of; failures come as events of their own.
    case 'error':
      emit({ type: 'text', text: `[codex] ${getText(item.message)}`.slice(0, MAX_OUTPUT_CHARS) });
      break;
  }
}

function getFileEvents(item: Fields, cwd: string): readonly AgentEvent[] {
  if (item.status !== 'completed') return [];
  return getList(item.changes)
    .map(getFields)
    .map(({ kind, path }) => ({
      type: 'file',
      action: kind === 'delete' ? 'delete' : 'write',
      path: getInsidePath(getText(path), cwd),
    }));
}

function getCallText(item: Fields): string {
  const error = getText(getFields(item.error).message);
  return `[${getText(item.server)}.${getText(item.tool)}${error ? ` failed] ${error}` : ']'}`.slice(
    0,
    MAX_OUTPUT_CHARS,
  );
}
