import type { SessionRequest } from '../../../ports/index.ts';
import { asList, asObject, asText, type LooseObject } from '../shared/loose-json.ts';
import type { AcpConnection } from './sdk.ts';

/** A session that can be prompted. */
export interface AcpSession {
  readonly id: string;
  /** Whether it can be gone on with later. */
  readonly isKept: boolean;
}

/** Where a session runs. */
export interface AcpPlace {
  /** Variables for every server that is started on our behalf. */
  readonly mark: Readonly<Record<string, string>>;
  /** Whether our sandbox is around the agent. */
  readonly isBoxed: boolean;
  /** Whether what the repository brings for the agent may be taken, where the agent leaves that to us. */
  readonly isRepoTrusted: boolean;
}

/** Greets the agent, opens or reopens a session in the worktree and sets it up for the mode. */
export async function openAcpSession(
  { agent }: AcpConnection,
  request: SessionRequest,
  place: AcpPlace,
): Promise<AcpSession> {
  const hello = asObject(await agent.request('initialize', HELLO));
  if (hello.protocolVersion !== HELLO.protocolVersion) {
    throw new Error(`The agent speaks version ${JSON.stringify(hello.protocolVersion)} of the protocol.`);
  }
  const { loadSession, sessionCapabilities } = asObject(hello.agentCapabilities);
  const canResume = asObject(sessionCapabilities).resume != null;
  const canLoad = loadSession === true;
  const where = {
    cwd: request.cwd,
    mcpServers: getServers(request, place.mark),
    ...(place.isRepoTrusted ? {} : { _meta: UNTRUSTING }),
  };
  const again = request.resume && (canResume || canLoad) ? request.resume : null;
  const method = again === null ? 'session/new' : canResume ? 'session/resume' : 'session/load';
  const opened = asObject(await agent.request(method, again ? { ...where, sessionId: again } : where));
  const id = again ?? asText(opened.sessionId);
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
  const { availableModes, currentModeId } = asObject(modes);
  const offered = asList(availableModes).map(one => asText(asObject(one).id));
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
    const option = asList(options)
      .map(asObject)
      .find(one => one.category === category);
    const value = option && wanted ? findValue(option, wanted) : null;
    if (value === null) continue;
    await change('session/set_config_option', { configId: asText(option?.id), value });
  }
}

/** Codex cannot make a sandbox of its own inside ours, and need not; without this every command fails. */
const UNCONTAINED = 'agent-full-access';

/** Left alone, Codex has a model of its own decide what it may do: slower, paid for, and not ours to answer. */
const ASKING = 'workspace-write';

function findValue(option: LooseObject, wanted: string): string | null {
  const offered = asList(option.options)
    .map(asObject)
    .flatMap(one => (Array.isArray(one.options) ? one.options.map(asObject) : [one]));
  return offered.map(one => asText(one.value)).find(value => value === wanted) ?? null;
}
