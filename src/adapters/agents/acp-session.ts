import type { SessionRequest } from '../../ports.ts';
import type { AcpConnection } from './acp-sdk.ts';
import { asList, asObject, asText, type LooseObject } from './loose-json.ts';

/** A session that can be prompted. */
export interface AcpSession {
  readonly id: string;
  /** Whether it can be gone on with later. */
  readonly isKept: boolean;
}

/** Greets the agent, opens or reopens a session in the worktree and sets it up for the mode. */
export async function openAcpSession(
  { agent }: AcpConnection,
  request: SessionRequest,
  mark: Readonly<Record<string, string>>,
): Promise<AcpSession> {
  const hello = asObject(await agent.request('initialize', HELLO));
  if (hello.protocolVersion !== HELLO.protocolVersion) {
    throw new Error(`The agent speaks version ${JSON.stringify(hello.protocolVersion)} of the protocol.`);
  }
  const { loadSession, sessionCapabilities } = asObject(hello.agentCapabilities);
  const canResume = asObject(sessionCapabilities).resume != null;
  const canLoad = loadSession === true;
  const where = { cwd: request.cwd, mcpServers: getServers(request, mark) };
  const again = request.resume && (canResume || canLoad) ? request.resume : null;
  const method = again === null ? 'session/new' : canResume ? 'session/resume' : 'session/load';
  const opened = asObject(await agent.request(method, again ? { ...where, sessionId: again } : where));
  const id = again ?? asText(opened.sessionId);
  if (id === '') throw new Error('The agent opened a session without an id.');
  await setUp(agent, id, opened, request);
  return { id, isKept: canResume || canLoad };
}

/** Files and terminals are the agent's own business, in its own containment. */
const HELLO = {
  protocolVersion: 1,
  clientInfo: { name: 'harness', title: 'Harness', version: '1' },
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
} as const;

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

/** A mode of its own for reading is taken where there is one; model and effort where they can be chosen. */
async function setUp(
  agent: AcpConnection['agent'],
  sessionId: string,
  opened: LooseObject,
  { mode = 'exec', model, effort }: SessionRequest,
): Promise<void> {
  const modes = asList(asObject(opened.modes).availableModes).map(one => asText(asObject(one).id));
  if (mode !== 'exec' && modes.includes('read-only')) {
    await agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
  }
  const choices = [
    { category: 'model', wanted: model },
    { category: 'thought_level', wanted: effort },
  ];
  for (const { category, wanted } of choices) {
    const option = asList(opened.configOptions)
      .map(asObject)
      .find(one => one.category === category);
    const value = option && wanted ? findValue(option, wanted) : null;
    if (value === null) continue;
    await agent.request('session/set_config_option', { sessionId, configId: asText(option?.id), value });
  }
}

function findValue(option: LooseObject, wanted: string): string | null {
  const offered = asList(option.options)
    .map(asObject)
    .flatMap(one => (Array.isArray(one.options) ? one.options.map(asObject) : [one]));
  return offered.map(one => asText(one.value)).find(value => value === wanted) ?? null;
}
