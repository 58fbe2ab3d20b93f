import type { SessionRequest } from '../../../ports/index.ts';
import { createEmptyTurns, GO_ON } from '../shared/ending.ts';
import { asObject, asText } from '../shared/loose-json.ts';
import { getPromptWithForm } from '../shared/structured.ts';
import type { AcpConnection, AcpSdk } from './sdk.ts';
import { type AcpPlace, type AcpSession, openAcpSession } from './session.ts';
import { type OpenStream, openAcpStream, type StreamPipes } from './stream.ts';
import { type AcpRules, getAcpPermission } from './tools.ts';
import type { AcpUpdates } from './updates.ts';

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
    if (seen.sessionId !== '' && asText(sessionId) === seen.sessionId) line.updates.read(update);
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
  onUpdate: (params: ReturnType<typeof asObject>) => void,
): AcpConnection {
  return sdk
    .client({ name: 'harness' })
    .onRequest('*', async ({ method, params }) => {
      if (method === 'session/request_permission') return getAcpPermission(params, rules);
      throw sdk.RequestError.methodNotFound(method);
    })
    .onNotification('*', ({ method, params }) => {
      if (method === 'session/update') onUpdate(asObject(params));
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
  let session: AcpSession | null = null;
  try {
    session = await openAcpSession(connection, request, line);
    const { id: sessionId } = session;
    onOpen(sessionId);
    for (let text = getPromptWithForm(request, 'Use no tools. '); ; text = GO_ON) {
      const prompt = [{ type: 'text', text }];
      const reply = await connection.agent.request('session/prompt', { sessionId, prompt });
      const { stopReason, usage } = asObject(reply);
      const isEmpty = stopReason === 'end_turn' && !line.updates.hasSpoken();
      if (!goesOn(isEmpty) || request.interrupt?.aborted) return { session, reply, error: null };
      line.updates.end(usage);
    }
  } catch (error) {
    return { session, reply: null, error };
  }
}
