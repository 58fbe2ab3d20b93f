import { type Fields, getFields, getList, getText } from '../../../core/base/json.ts';
import type { Delivery, SessionRequest } from '../../../ports/index.ts';
import { createEmptyTurns, GO_ON } from '../shared/ending.ts';
import { getPromptWithForm } from '../shared/structured.ts';
import type { AcpConnection, AcpSdk } from './sdk.ts';
import { type OpenStream, openAcpStream, type StreamPipes } from './stream.ts';
import { type AcpRules, getAcpPermission } from './tools.ts';
import type { AcpUpdates } from './updates.ts';

/** A session that can be prompted. */
interface AcpSession {
  readonly id: string;
  /** Whether it can be gone on with later. */
  readonly isKept: boolean;
}

/** Where a session runs. */
interface AcpPlace {
  /** Variables for every server that is started on our behalf. */
  readonly mark: Readonly<Record<string, string>>;
  /** Whether our sandbox is around the agent. */
  readonly isBoxed: boolean;
  /** Whether what the repository brings for the agent may be taken, where the agent leaves that to us. */
  readonly isRepoTrusted: boolean;
}

/** Greets the agent, opens or reopens a session in the worktree and sets it up for the mode. */
async function openAcpSession(
  { agent }: AcpConnection,
  request: SessionRequest,
  place: AcpPlace,
): Promise<AcpSession> {
  const hello = getFields(await agent.request('initialize', HELLO));
  if (hello.protocolVersion !== HELLO.protocolVersion) {
    throw new Error(`The agent speaks version ${JSON.stringify(hello.protocolVersion)} of the protocol.`);
  }
  const { loadSession, sessionCapabilities } = getFields(hello.agentCapabilities);
  const canResume = getFields(sessionCapabilities).resume != null;
  const canLoad = loadSession === true;
  const where = {
    cwd: request.cwd,
    mcpServers: getServers(request, place.mark),
    ...(place.isRepoTrusted ? {} : { _meta: UNTRUSTING }),
  };
  const again = request.resume && (canResume || canLoad) ? request.resume : null;
  const method = again === null ? 'session/new' : canResume ? 'session/resume' : 'session/load';
  const opened = getFields(await agent.request(method, again ? { ...where, sessionId: again } : where));
  const id = again ?? getText(opened.sessionId);
  if (id === '') throw new Error('The agent opened a session without an id.');
  const change: Change = async (name, what) => await agent.request(name, { sessionId: id, ...what });
  const own = request.mode === 'review' || request.mode === 'complete' ? 'read-only' : ASKING;
  await setMode(change, opened.modes, [place.isBoxed ? UNCONTAINED : own, 'default']);
  await setOptions(change, opened.configOptions, request);
  return { id, isKept: canResume || canLoad };
}

/** Files and terminals are the agent's own business, in its own containment. */
const HELLO = {
  protocolVersion: 1,
  clientInfo: { name: 'harness', title: 'Harness', version: '1' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
} as const;

/** Only Claude Code can be told so; Codex over ACP trusts the folder whatever it is told. */
const UNTRUSTING = { claudeCode: { options: { settingSources: ['user'], strictMcpConfig: true } } } as const;

function getServers(
  { mode = 'exec', mcpServers = {} }: SessionRequest,
  mark: Readonly<Record<string, string>>,
) {
  if (mode !== 'exec') return [];
  return Object.entries(mcpServers).map(([name, { command, args, env }]) => ({
    name,
    command,
    args,
    env: Object.entries({ ...env, ...mark }).map(([key, value]) => ({ name: key, value })),
  }));
}

/** Changes something of the session that is open. */
type Change = (method: string, what: Readonly<Record<string, string>>) => Promise<unknown>;

/** The first wanted one of the modes that it has. */
async function setMode(change: Change, modes: unknown, wanted: readonly string[]): Promise<void> {
  const { availableModes, currentModeId } = getFields(modes);
  const offered = getList(availableModes).map(one => getText(getFields(one).id));
  const modeId = wanted.find(id => offered.includes(id));
  if (modeId && modeId !== currentModeId) await change('session/set_mode', { modeId });
}

/** Model and effort, where they can be chosen. */
async function setOptions(change: Change, options: unknown, request: SessionRequest): Promise<void> {
  const choices = [
    { category: 'model', wanted: request.model },
    { category: 'thought_level', wanted: request.effort },
  ];
  for (const { category, wanted } of choices) {
    const option = getList(options)
      .map(getFields)
      .find(one => one.category === category);
    const value = option && wanted ? findValue(option, wanted) : null;
    if (value === null) continue;
    await change('session/set_config_option', { configId: getText(option?.id), value });
  }
}

/** Codex cannot make a sandbox of its own inside ours, and need not; without this every command fails. */
const UNCONTAINED = 'agent-full-access';

/** Left alone, Codex has a model of its own decide what it may do: slower, paid for, and not ours to answer. */
const ASKING = 'workspace-write';

function findValue(option: Fields, wanted: string): string | null {
  const offered = getList(option.options)
    .map(getFields)
    .flatMap(one => (Array.isArray(one.options) ? one.options.map(getFields) : [one]));
  return offered.map(one => getText(one.value)).find(value => value === wanted) ?? null;
}

/** The two pipes of an agent, and who wants to know what comes through them. */
export interface AcpLine extends StreamPipes, AcpPlace, Pick<AcpRules, 'refuse' | 'onRefused'> {
  /** Hears what belongs to the turn that was asked for. */
  readonly updates: AcpUpdates;
  /** The turn begins, and from now on can be cancelled. */
  onTurn(cancel: () => Promise<void>): void;
}

export interface AcpTalk {
  /** What came of it; never rejects. */
  readonly taken: Promise<AcpTaken>;
  /** What was wrong with the agent's output so far. */
  problem(): string | null;
  close(): void;
}

export interface AcpTaken {
  readonly session: AcpSession | null;
  /** The answer to the prompt; null when there was none. */
  readonly reply: unknown;
  /** What was thrown instead. */
  readonly error: unknown;
}

/** One turn with an agent: greeting, session, prompt, answer. */
export function startAcpTalk(sdk: AcpSdk, line: AcpLine, request: SessionRequest): AcpTalk {
  const stream = openAcpStream(line);
  // A session that is opened again may tell its whole past first: only the turn is listened to.
  const seen = { sessionId: '' };
  const rules = { ...line, mode: request.mode ?? 'exec', findCall: line.updates.findCall };
  const connection = connect(sdk, stream, rules, ({ sessionId, update }) => {
    if (seen.sessionId !== '' && getText(sessionId) === seen.sessionId) line.updates.read(update);
  });
  const taken = takeTurn(connection, request, line, sessionId => {
    seen.sessionId = sessionId;
    line.onTurn(() => connection.agent.notify('session/cancel', { sessionId }));
  });
  return { taken, problem: stream.problem, close: () => connection.close() };
}

function connect(
  sdk: AcpSdk,
  stream: OpenStream,
  rules: AcpRules,
  onUpdate: (params: ReturnType<typeof getFields>) => void,
): AcpConnection {
  return sdk
    .client({ name: 'harness' })
    .onRequest('*', async ({ method, params }) => {
      if (method === 'session/request_permission') return getAcpPermission(params, rules);
      throw sdk.RequestError.methodNotFound(method);
    })
    .onNotification('*', ({ method, params }) => {
      if (method === 'session/update') onUpdate(getFields(params));
    })
    .connect(stream);
}

async function takeTurn(
  connection: AcpConnection,
  request: SessionRequest,
  line: AcpPlace & Pick<AcpLine, 'updates'>,
  onOpen: (sessionId: string) => void,
): Promise<AcpTaken> {
  const goesOn = createEmptyTurns(request.mode);
  const words = listenForWords(request, line.updates);
  let session: AcpSession | null = null;
  try {
    session = await openAcpSession(connection, request, line);
    const { id: sessionId } = session;
    onOpen(sessionId);
    const cancel = () => connection.agent.notify('session/cancel', { sessionId });
    for (let text = getPromptWithForm(request, 'Use no tools. '); ; ) {
      const prompt = [{ type: 'text', text }];
      const endTurn = words.beginTurn(cancel);
      const reply = await connection.agent.request('session/prompt', { sessionId, prompt });
      const areWaiting = endTurn();
      const { stopReason, usage } = getFields(reply);
      if (request.interrupt?.aborted) return { session, reply, error: null };
      const isEmpty = stopReason === 'end_turn' && !line.updates.hasSpoken();
      // Some agents call a cancelled turn one that ended.
      if (areWaiting && (stopReason === 'cancelled' || stopReason === 'end_turn')) text = words.take();
      else if (goesOn(isEmpty)) text = GO_ON;
      else return { session, reply, error: null };
      line.updates.end(usage);
    }
  } catch (error) {
    return { session, reply: null, error };
  } finally {
    words.close();
  }
}

/**
 * The protocol has no words for a turn that runs: it is cancelled once no tool is at work, and the session goes on
 * with them; so it does where the turn ends by itself before that.
 */
function listenForWords({ injections }: SessionRequest, updates: Pick<AcpUpdates, 'openCalls'>) {
  const waiting: { readonly text: string; onTaken(delivery: Delivery): void }[] = [];
  let cancel: (() => Promise<void>) | null = null;
  let wasCut = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    if (!cancel || wasCut || waiting.length === 0 || updates.openCalls() > 0) return;
    wasCut = true;
    cancel().catch(() => undefined);
  };
  const unsubscribe = injections?.subscribe(
    text =>
      new Promise<Delivery>(onTaken => {
        waiting.push({ text, onTaken });
        timer ??= setInterval(look, LOOK_MS).unref();
        look();
      }),
  );
  return {
    /** Returns the way to end it, which says whether there are words to go on with. */
    beginTurn(how: () => Promise<void>): () => boolean {
      cancel = how;
      wasCut = false;
      return () => {
        cancel = null;
        return waiting.length > 0;
      };
    },
    /** All that waits, told with this turn. */
    take: () =>
      waiting
        .splice(0)
        .map(({ text, onTaken }) => {
          onTaken('told');
          return text;
        })
        .join('\n\n'),
    close(): void {
      unsubscribe?.();
      clearInterval(timer);
    },
  };
}

/** Between two looks at whether a tool is still at work. */
const LOOK_MS = 100;
